import { getUser } from '../../../accounts/users/store.ts';
import type { MailContent } from '../../../messaging/outbox/mail.ts';
import { requiredSetting } from '../../../runtime/config.ts';
import { findSeat } from '../../../tickets/seats/find-seat.ts';
import type { Message } from '../layout/message.ts';
import { formatPlace, formatTime } from './format.ts';

type OfferContent = Extract<MailContent, { kind: 'ticket-offered' }>;

/** Composes the mail to the address that a seat is offered to; undefined once the offer has ended. */
export async function composeOfferMessage(content: OfferContent): Promise<Message | undefined> {
  const seatContext = await findSeat(content);
  const offer = seatContext?.seat.offer;
  if (!seatContext || offer?.status !== 'open' || offer.at !== content.offeredAt) return undefined;
  const { event, order } = seatContext;
  const sender = await getUser(offer.fromUserId);
  const tier = event.tiers.find(({ id }) => id === order.tierId)?.name ?? '';
  return {
    to: offer.email,
    subject: `A ticket to ${event.title} for you`,
    summary: `${sender.name} offers you a ticket to ${event.title}.`,
    body: [
      {
        facts: [
          ['When', formatTime(event)],
          ['Where', formatPlace(event)],
          ['Ticket', tier],
        ],
      },
      {
        paragraph: `To accept it, sign in or register with ${offer.email}. The ticket is then yours, with a code of its own.`,
      },
      { button: 'Accept the ticket', url: `${requiredSetting('PUBLIC_URL')}/transfers/${offer.token}` },
      { paragraph: 'If you do not want it, there is nothing to do.' },
    ],
  };
}
