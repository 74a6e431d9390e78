import { getUser } from '../../../accounts/users/store.ts';
import type { MailContent } from '../../../messaging/outbox/mail.ts';
import { findPayout } from '../../../money/payouts/store.ts';
import { requiredSetting } from '../../../runtime/config.ts';
import type { Message } from '../layout/message.ts';
import { formatMoney } from './format.ts';

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
