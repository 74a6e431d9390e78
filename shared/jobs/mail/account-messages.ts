import { findLinkByToken } from '../../accounts/auth/link-mail.ts';
import { findSessionOwner, findUser, getUser } from '../../accounts/users/store.ts';
import { addressAt } from '../../accounts/users/user.ts';
import { findEventWithTexts } from '../../catalog/events/store.ts';
import { findMemberByHash } from '../../catalog/staff/store.ts';
import { hashEmail } from '../../core/ids.ts';
import { formatMoney } from '../../core/money.ts';
import type { FactorChange, LinkKind, MailContent } from '../../messaging/outbox/mail.ts';
import { findLinkToken } from '../../messaging/outbox/token.ts';
import { findEndpoint } from '../../messaging/webhooks/store.ts';
import { findPayout } from '../../money/payouts/store.ts';
import { requiredSetting } from '../../runtime/config.ts';
import type { Message } from './layout.ts';

type LinkContent = Extract<MailContent, { kind: LinkKind }>;

const linkTexts: Record<
  LinkKind,
  { page: string; subject: string; summary: string; button: string; ifUnexpected: string }
> = {
  'password-reset': {
    page: 'reset-password',
    subject: 'Reset your password',
    summary: 'Somebody, probably you, asked for a new password for your account.',
    button: 'Choose a new password',
    ifUnexpected: 'If it was not you, ignore this mail: your password stays as it is.',
  },
  'address-confirmation': {
    page: 'verify-email',
    subject: 'Confirm your e-mail address',
    summary: 'Please confirm that this address is yours, so that your tickets reach you.',
    button: 'Confirm this address',
    ifUnexpected: 'If you have no account with us, ignore this mail: nothing else happens.',
  },
  'email-change': {
    page: 'change-email',
    subject: 'Confirm your new e-mail address',
    summary: 'Somebody, probably you, wants to use this address for an account with us.',
    button: 'Use this address',
    ifUnexpected: 'If it was not you, ignore this mail: nothing else happens.',
  },
  'email-undo': {
    page: 'undo-email-change',
    subject: 'Your e-mail address was changed',
    summary: 'Your account has another e-mail address now, and we no longer write to this one.',
    button: 'It was not me: undo it',
    ifUnexpected:
      'It also ends your password, signs out every device, unlinks your wallet, and stops payouts to new bank accounts. API keys, webhook endpoints and staff that were added or changed since end too. If it was you, ignore this mail.',
  },
  'new-bank-account': {
    page: 'stop-payouts',
    subject: 'A payout to a new bank account',
    summary:
      'A payout to a bank account that you have not used before was requested from your account. It waits, so that you can stop it.',
    button: 'Stop it, and sign out everywhere',
    ifUnexpected: 'If it was you, ignore this mail. If it was not, stop it and set a new password.',
  },
};

/**
 * Composes a mail with a link to reset a password or confirm an address; undefined when the link has expired, its user
 * no longer exists, or the secret that its token is derived from was replaced.
 */
export async function composeLinkMessage(content: LinkContent): Promise<Message | undefined> {
  const { kind, userId, requestId, tokenHash, expiresAt } = content;
  const minutes = Math.round((Date.parse(expiresAt) - Date.now()) / 60_000);
  const token = await findLinkToken(kind, requestId, tokenHash);
  const to = token && (await findRecipient(kind, userId, token));
  if (minutes < 1 || !to) return undefined;
  const { page, subject, summary, button, ifUnexpected } = linkTexts[kind];
  return {
    to,
    subject,
    summary,
    body: [
      { button, url: `${requiredSetting('PUBLIC_URL')}/${page}?token=${token}` },
      { paragraph: `The link works once, for ${formatDuration(minutes)}. ${ifUnexpected}` },
    ],
  };
}

/**
 * Finds the address of a link. A link that changes the address, or undoes it, goes to another one than the user's. One that
 * confirms an address goes to no later address.
 */
async function findRecipient(kind: LinkKind, userId: string, token: string): Promise<string | undefined> {
  if (kind === 'email-change') return (await findLinkByToken(kind, token))?.email;
  const owner = await findSessionOwner(userId);
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

function formatDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const [amount, unit] =
    minutes < 60 ? [minutes, 'minute'] : hours < 72 ? [hours, 'hour'] : [Math.floor(hours / 24), 'day'];
  return amount === 1 ? `1 ${unit}` : `${amount} ${unit}s`;
}

/** Composes the mail about a linked wallet, to the address of the account. */
export async function composeWalletMessage(
  content: Extract<MailContent, { kind: 'wallet-linked' }>,
): Promise<Message | undefined> {
  const owner = await findSessionOwner(content.userId);
  return (
    owner && {
      to: addressAt(owner, content.linkedAt),
      subject: 'A wallet was linked to your account',
      summary: `New tickets go to the wallet ${content.walletAddress}, and its owner can log in to your account.`,
      body: [
        { paragraph: 'If it was not you, set a new password. This also unlinks the wallet.' },
        { button: 'Set a new password', url: `${requiredSetting('PUBLIC_URL')}/forgot-password` },
      ],
    }
  );
}

/** Composes the mail about a login from a device that the user had not used before. */
export async function composeDeviceMessage({
  userId,
  device,
  place,
  loggedInAt,
}: Extract<MailContent, { kind: 'new-device' }>): Promise<Message | undefined> {
  const owner = await findSessionOwner(userId);
  const time = `${loggedInAt.slice(0, 16).replace('T', ' ')} UTC`;
  return (
    owner && {
      to: addressAt(owner, loggedInAt),
      subject: 'A new device signed in to your account',
      summary: `${device}${place ? ` in ${place}` : ''} signed in to your account on ${time}.`,
      body: [
        {
          paragraph:
            'If it was you, ignore this mail. If it was not, set a new password: this signs out every device.',
        },
        { button: 'Set a new password', url: `${requiredSetting('PUBLIC_URL')}/forgot-password` },
      ],
    }
  );
}

const factorTexts: Record<FactorChange, { subject: string; summary: string }> = {
  'passkey-added': {
    subject: 'A passkey was added to your account',
    summary: 'The new passkey signs in to your account.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account',
    summary: 'Nobody can sign in to your account with this passkey any more.',
  },
  'totp-added': {
    subject: 'An authenticator app was added to your account',
    summary: 'Your account now asks for a code of this app.',
  },
  'totp-removed': {
    subject: 'The authenticator app was removed from your account',
    summary: 'Your account does not ask for codes of the app any more.',
  },
  'key-added': {
    subject: 'An API key was added to your account',
    summary: 'Programs with the key can read or change what it is allowed to, without signing in.',
  },
  'endpoint-added': {
    subject: 'A webhook address was added to your account',
    summary: 'What happens with your orders and events is sent to this address from now on.',
  },
  'manager-added': {
    subject: 'A manager was added to your event',
    summary:
      'The manager can change and cancel the event, read its orders, and refund them. The staff of your event shows who it is.',
  },
  'recent-removed': {
    subject: 'Your new passkey or authenticator app was removed',
    summary:
      'What was added to your account in the last seven days no longer signs in, since a link in one of our mails was used to recover the account. Your payouts wait for 72 hours.',
  },
  reset: {
    subject: 'Your two-step sign-in was reset',
    summary:
      'We removed the passkeys, the authenticator app and the recovery codes of your account, and signed out every device. Your payouts wait for 72 hours.',
  },
};

/** Composes the mail about a change of the passkeys, the authenticator app, the API keys, the webhooks or the managers of an account. */
export async function composeFactorMessage({
  userId,
  change,
  changedAt,
}: Extract<MailContent, { kind: 'factors-changed' }>): Promise<Message | undefined> {
  const owner = await findSessionOwner(userId);
  const isReset = change === 'reset' || change === 'recent-removed';
  const hint = isReset
    ? 'If it was not at your request, tell us at once.'
    : 'If it was not you, set a new password within seven days. This signs out every device, and removes the passkeys and authenticator apps that were added in the last seven days. Then remove the API keys, webhook endpoints and managers that are not yours.';
  return (
    owner && {
      to: addressAt(owner, changedAt),
      ...factorTexts[change],
      body: [
        { paragraph: hint },
        isReset
          ? { button: 'Open your account', url: `${requiredSetting('PUBLIC_URL')}/account` }
          : { button: 'Set a new password', url: `${requiredSetting('PUBLIC_URL')}/forgot-password` },
      ],
    }
  );
}

/** Composes the mail about a webhook endpoint that was disabled; undefined once it is enabled again or deleted. */
export async function composeEndpointMessage({
  organizerId,
  endpointId,
}: Extract<MailContent, { kind: 'webhook-disabled' }>): Promise<Message | undefined> {
  const [user, endpoint] = await Promise.all([findUser(organizerId), findEndpoint(organizerId, endpointId)]);
  if (!user || endpoint?.status !== 'disabled') return undefined;
  const { host } = new URL(endpoint.url);
  const reason =
    endpoint.disabledReason === 'gone' ? 'It answered that it is gone.' : 'It has failed for five days.';
  return {
    to: user.email,
    subject: `Nothing more is sent to ${host}`,
    summary: `We no longer send webhooks to ${host}. ${reason}`,
    body: [
      {
        paragraph:
          'Once it works again, enable it. What it has missed is kept for 30 days: your developer can read it with “GET /api/occurrences”.',
      },
      { button: 'Open your integrations', url: `${requiredSetting('PUBLIC_URL')}/organizer/integrations` },
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
  const { name } = await getUser(event.organizerId);
  const task = member.role === 'door' ? 'check in tickets at its door' : 'manage it';
  return {
    to: member.email,
    subject: `You are invited to work at ${event.title}`,
    summary: `${name} organizes ${event.title}, and invites you to ${task}.`,
    body: [
      {
        paragraph: `Sign in or register with ${member.email}, and confirm this address. Then you find the event below “Work”.`,
      },
      { button: 'Sign in', url: `${requiredSetting('PUBLIC_URL')}/work` },
      { paragraph: 'If you do not expect this, there is nothing to do.' },
    ],
  };
}

type PayoutContent = Extract<MailContent, { payoutId: string }>;

/** Composes a mail about a payout, to its organizer. */
export async function composePayoutMessage({ kind, payoutId }: PayoutContent): Promise<Message> {
  const payout = await findPayout(payoutId);
  if (!payout) throw new Error(`There is no payout ${payoutId}`);
  const { email } = await getUser(payout.organizerId);
  const money = formatMoney(payout.amount, payout.currency);
  const account = `account ending in ${payout.destination.accountNumber.slice(-4)}`;
  const text =
    kind === 'payout-sent'
      ? {
          subject: `Payout sent: ${money}`,
          summary: `${money} were sent to your ${account}.`,
          hint: 'Banks take up to a few days to show it.',
        }
      : {
          subject: `Payout failed: ${money}`,
          summary: `${money} could not be sent to your ${account}. The amount is available again.`,
          hint: 'Please check the account, then request another payout.',
        };
  return {
    to: email,
    subject: text.subject,
    summary: text.summary,
    body: [
      { paragraph: text.hint },
      { button: 'Open your balance', url: `${requiredSetting('PUBLIC_URL')}/organizer/payouts` },
    ],
  };
}
