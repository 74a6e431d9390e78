import type { MailContent } from '../../../messaging/outbox/mail.ts';
import type { Message } from '../layout/message.ts';
import { composeHolderMessage } from './holder-message.ts';
import { composeLinkMessage } from './link-messages.ts';
import { composeOfferMessage } from './offer-message.ts';
import { composeOrderMessage } from './order-messages.ts';
import { composePayoutMessage } from './payout-messages.ts';
import { composeTicketMessage } from './ticket-message.ts';

/**
 * Composes a mail from the current state of the table.
 * @returns undefined when the mail is obsolete
 */
export async function composeMessage(content: MailContent): Promise<Message | undefined> {
  switch (content.kind) {
    case 'password-reset':
    case 'address-confirmation':
      return composeLinkMessage(content);
    case 'payout-sent':
    case 'payout-failed':
      return composePayoutMessage(content);
    case 'received-ticket-changed':
      return composeHolderMessage(content);
    case 'ticket-offered':
      return composeOfferMessage(content);
    case 'ticket-received':
      return composeTicketMessage(content);
    default:
      return composeOrderMessage(content);
  }
}
