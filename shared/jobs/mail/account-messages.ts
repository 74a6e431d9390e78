import type { TFunction } from 'i18next';
import { findLinkByToken } from '../../accounts/auth/link-mail.ts';
import { findSessionOwner, findUser, getUser } from '../../accounts/users/store.ts';
import { addressAt, type SessionOwner } from '../../accounts/users/user.ts';
import { findEventWithTexts } from '../../catalog/events/store.ts';
import { findMemberByHash } from '../../catalog/staff/store.ts';
import { textsIn } from '../../catalog/texts/texts.ts';
import { hashEmail } from '../../core/ids.ts';
import type { LinkKind, MailContent } from '../../messaging/outbox/mail.ts';
import { findLinkToken } from '../../messaging/outbox/token.ts';
import { findEndpoint } from '../../messaging/webhooks/store.ts';
import { findPayout } from '../../money/payouts/store.ts';
import { requiredSetting } from '../../runtime/config.ts';
import type { Message } from './layout.ts';
import { formatMoneyIn } from './order-messages.ts';

type LinkContent = Extract<MailContent, { kind: LinkKind }>;

/** The pages that the links open. */
const linkPages: Record<LinkKind, string> = {
  'password-reset': 'reset-password',
  'address-confirmation': 'verify-email',
  'email-change': 'change-email',
  'email-undo': 'undo-email-change',
  'new-bank-account': 'stop-payouts',
};

/**
 * Composes a mail with a link to reset a password or confirm an address; undefined when the link has expired, its user
 * no longer exists, or the secret that its token is derived from was replaced.
 */
export async function composeLinkMessage(content: LinkContent): Promise<Message | undefined> {
  const { kind, userId, requestId, tokenHash, expiresAt } = content;
  const minutes = Math.round((Date.parse(expiresAt) - Date.now()) / 60_000);
  const token = await findLinkToken(kind, requestId, tokenHash);
  const owner = await findSessionOwner(userId);
  const to = token && (await findRecipient(kind, owner, token));
  if (minutes < 1 || !to) return undefined;
  const language = owner?.user.language;
  const t = textsIn(language);
  return {
    to,
    language,
    subject: t(`account.links.${kind}.subject`),
    summary: t(`account.links.${kind}.summary`),
    body: [
      {
        button: t(`account.links.${kind}.button`),
        url: `${requiredSetting('PUBLIC_URL')}/${linkPages[kind]}?token=${token}`,
      },
      {
        paragraph: t('account.link', {
          duration: formatDuration(minutes, t),
          note: t(`account.links.${kind}.note`),
        }),
      },
    ],
  };
}

/**
 * Finds the address of a link. A link that changes the address, or undoes it, goes to another one than the user's. One that
 * confirms an address goes to no later address.
 */
async function findRecipient(
  kind: LinkKind,
  owner: SessionOwner | undefined,
  token: string,
): Promise<string | undefined> {
  if (kind === 'email-change') return (await findLinkByToken(kind, token))?.email;
  if (kind === 'address-confirmation') {
    const { emailHash } = (await findLinkByToken(kind, token)) ?? {};
    return owner && emailHash === hashEmail(owner.user.email) ? owner.user.email : undefined;
  }
  if (kind === 'new-bank-account') {
    const link = await findLinkByToken(kind, token);
    return owner && link && addressAt(owner, new Date(link.requestedAt).toISOString());
  }
  return kind === 'email-undo' ? owner?.previousAddress?.email : owner?.user.email;
}

function formatDuration(minutes: number, t: TFunction): string {
  const hours = Math.floor(minutes / 60);
  if (minutes < 60) return t('account.minutes', { count: minutes });
  return hours < 72
    ? t('account.hours', { count: hours })
    : t('account.days', { count: Math.floor(hours / 24) });
}

const newPasswordButton = (t: TFunction) => ({
  button: t('account.newPassword'),
  url: `${requiredSetting('PUBLIC_URL')}/forgot-password`,
});

/** Composes the mail about a linked wallet, to the address of the account. */
export async function composeWalletMessage(
  content: Extract<MailContent, { kind: 'wallet-linked' }>,
): Promise<Message | undefined> {
  const owner = await findSessionOwner(content.userId);
  if (!owner) return undefined;
  const { language } = owner.user;
  const t = textsIn(language);
  return {
    to: addressAt(owner, content.linkedAt),
    language,
    subject: t('account.wallet.subject'),
    summary: t('account.wallet.summary', { wallet: content.walletAddress }),
    body: [{ paragraph: t('account.wallet.note') }, newPasswordButton(t)],
  };
}

/** Composes the mail about a login from a device that the user had not used before. */
export async function composeDeviceMessage({
  userId,
  device,
  place,
  loggedInAt,
}: Extract<MailContent, { kind: 'new-device' }>): Promise<Message | undefined> {
  const owner = await findSessionOwner(userId);
  if (!owner) return undefined;
  const { language } = owner.user;
  const t = textsIn(language);
  const time = `${loggedInAt.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    to: addressAt(owner, loggedInAt),
    language,
    subject: t('account.device.subject'),
    summary: place
      ? t('account.device.summaryWithPlace', { device, place, time })
      : t('account.device.summary', { device, time }),
    body: [{ paragraph: t('account.device.note') }, newPasswordButton(t)],
  };
}

/** Composes the mail about a change of the passkeys, the authenticator app, the API keys, the webhooks or the managers of an account. */
export async function composeFactorMessage({
  userId,
  change,
  changedAt,
}: Extract<MailContent, { kind: 'factors-changed' }>): Promise<Message | undefined> {
  const owner = await findSessionOwner(userId);
  if (!owner) return undefined;
  const { language } = owner.user;
  const t = textsIn(language);
  const isReset = change === 'reset' || change === 'recent-removed';
  return {
    to: addressAt(owner, changedAt),
    language,
    subject: t(`account.changes.${change}.subject`),
    summary: t(`account.changes.${change}.summary`),
    body: [
      { paragraph: t(isReset ? 'account.unexpectedReset' : 'account.unexpectedChange') },
      isReset
        ? { button: t('account.openAccount'), url: `${requiredSetting('PUBLIC_URL')}/account` }
        : newPasswordButton(t),
    ],
  };
}

/** Composes the mail about a webhook endpoint that was disabled; undefined once it is enabled again or deleted. */
export async function composeEndpointMessage({
  organizerId,
  endpointId,
}: Extract<MailContent, { kind: 'webhook-disabled' }>): Promise<Message | undefined> {
  const [user, endpoint] = await Promise.all([findUser(organizerId), findEndpoint(organizerId, endpointId)]);
  if (!user || endpoint?.status !== 'disabled') return undefined;
  const { host } = new URL(endpoint.url);
  const { email, language } = user;
  const t = textsIn(language);
  const reason = t(endpoint.disabledReason === 'gone' ? 'account.endpoint.gone' : 'account.endpoint.failing');
  return {
    to: email,
    language,
    subject: t('account.endpoint.subject', { host }),
    summary: t('account.endpoint.summary', { host, reason }),
    body: [
      { paragraph: t('account.endpoint.note') },
      {
        button: t('account.endpoint.button'),
        url: `${requiredSetting('PUBLIC_URL')}/organizer/integrations`,
      },
    ],
  };
}

/** Composes the invitation to an event's staff; undefined once the address is no longer on it. */
export async function composeInvitationMessage({
  eventId,
  emailHash,
}: Extract<MailContent, { kind: 'staff-invited' }>): Promise<Message | undefined> {
  const [event, member] = await Promise.all([
    findEventWithTexts(eventId),
    findMemberByHash(eventId, emailHash),
  ]);
  if (!event || !member) return undefined;
  const { name: organizer } = await getUser(event.organizerId);
  const { language, title } = event;
  const t = textsIn(language);
  return {
    to: member.email,
    language,
    subject: t('account.invitation.subject', { event: title }),
    summary: t(`account.invitation.${member.role}`, { organizer, event: title }),
    body: [
      { paragraph: t('account.invitation.how', { email: member.email }) },
      { button: t('account.invitation.button'), url: `${requiredSetting('PUBLIC_URL')}/work` },
      { paragraph: t('account.invitation.otherwise') },
    ],
  };
}

type PayoutContent = Extract<MailContent, { payoutId: string }>;

/** Composes a mail about a payout, to its organizer. */
export async function composePayoutMessage({ kind, payoutId }: PayoutContent): Promise<Message> {
  const payout = await findPayout(payoutId);
  if (!payout) throw new Error(`There is no payout ${payoutId}`);
  const { email, language } = await getUser(payout.organizerId);
  const t = textsIn(language);
  const values = {
    money: formatMoneyIn(language, payout.amount, payout.currency),
    digits: payout.destination.accountNumber.slice(-4),
  };
  return {
    to: email,
    language,
    subject: t(`account.payouts.${kind}.subject`, values),
    summary: t(`account.payouts.${kind}.summary`, values),
    body: [
      { paragraph: t(`account.payouts.${kind}.note`) },
      { button: t('account.payouts.button'), url: `${requiredSetting('PUBLIC_URL')}/organizer/payouts` },
    ],
  };
}
