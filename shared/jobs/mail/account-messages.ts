import { findUser, getUser } from '../../accounts/users/store.ts';
import { findEventWithTexts } from '../../catalog/events/store.ts';
import { findMemberByHash } from '../../catalog/staff/store.ts';
import type { LinkKind, MailContent } from '../../messaging/outbox/mail.ts';
import { findLinkToken } from '../../messaging/outbox/token.ts';
import { findPayout } from '../../money/payouts/store.ts';
import { requiredSetting } from '../../runtime/config.ts';
import type { Message } from './layout.ts';
import { formatMoney } from './order-messages.ts';

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
};

/**
 * Composes a mail with a link to reset a password or confirm an address; undefined when the link has expired, its user
 * no longer exists, or the secret that its token is derived from was replaced.
 */
export async function composeLinkMessage(content: LinkContent): Promise<Message | undefined> {
  const { kind, userId, requestId, tokenHash, expiresAt } = content;
  const minutes = Math.round((Date.parse(expiresAt) - Date.now()) / 60_000);
  const token = await findLinkToken(kind, requestId, tokenHash);
  const user = await findUser(userId);
  if (minutes < 1 || !token || !user) return undefined;
  const { page, subject, summary, button, ifUnexpected } = linkTexts[kind];
  return {
    to: user.email,
    subject,
    summary,
    body: [
      { button, url: `${requiredSetting('PUBLIC_URL')}/${page}?token=${token}` },
      { paragraph: `The link works once, for ${formatDuration(minutes)}. ${ifUnexpected}` },
    ],
  };
}

function formatDuration(minutes: number): string {
  const [amount, unit] = minutes < 60 ? [minutes, 'minute'] : [Math.floor(minutes / 60), 'hour'];
  return amount === 1 ? `1 ${unit}` : `${amount} ${unit}s`;
}

/** Composes the mail about a linked wallet, to the address of the account. */
export async function composeWalletMessage(
  content: Extract<MailContent, { kind: 'wallet-linked' }>,
): Promise<Message | undefined> {
  const user = await findUser(content.userId);
  return (
    user && {
      to: user.email,
      subject: 'A wallet was linked to your account',
      summary: `New tickets go to the wallet ${content.walletAddress}, and its owner can log in to your account.`,
      body: [
        { paragraph: 'If it was not you, set a new password. This also unlinks the wallet.' },
        { button: 'Set a new password', url: `${requiredSetting('PUBLIC_URL')}/forgot-password` },
      ],
    }
  );
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
