import { findUser } from '../../../accounts/users/store.ts';
import type { LinkKind, MailContent } from '../../../messaging/outbox/mail.ts';
import { findLinkToken } from '../../../messaging/outbox/token.ts';
import { requiredSetting } from '../../../runtime/config.ts';
import type { Message } from '../layout/message.ts';

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
