import { getUser } from '../../../accounts/users/store.ts';
import { toCalendarFile } from '../../../catalog/events/calendar.ts';
import { getEventWithTexts } from '../../../catalog/events/store.ts';
import type { MailContent } from '../../../messaging/outbox/mail.ts';
import { requiredSetting } from '../../../runtime/config.ts';
import { signCode } from '../../../tickets/check-in/check-in-code.ts';
import { drawCodeAsPng } from '../../../tickets/check-in/qr-code.ts';
import { findSeat, usedSeatError } from '../../../tickets/seats/find-seat.ts';
import { holderOf } from '../../../tickets/seats/seat.ts';
import type { Message } from '../layout/message.ts';
import { eventFacts } from './order-messages.ts';

type TicketContent = Extract<MailContent, { kind: 'ticket-received' }>;

/**
 * Composes the mail with a transferred ticket, to its holder; undefined once the seat was transferred again or admitted,
 * and when it is no longer admitted.
 */
export async function composeTicketMessage(content: TicketContent): Promise<Message | undefined> {
  const seatContext = await findSeat(content);
  if (!seatContext || seatContext.seat.epoch !== content.epoch || usedSeatError(seatContext))
    return undefined;
  const { seat, order } = seatContext;
  const event = await getEventWithTexts(order.eventId);
  const { email: to } = await getUser(holderOf(seat, order));
  const tier = event.tiers.find(({ id }) => id === order.tierId)?.name ?? '';
  const code = await signCode(seat);
  return {
    to,
    subject: `Your ticket to ${event.title}`,
    summary: `You have accepted a ticket to ${event.title}. Show the QR code at the door, on your phone or on paper.`,
    body: [
      { facts: eventFacts(event) },
      {
        ticket: {
          title: 'Your ticket',
          detail: `${tier}, ${event.title}`,
          code,
          image: drawCodeAsPng(code),
        },
      },
      { button: 'Open your tickets', url: `${requiredSetting('PUBLIC_URL')}/tickets` },
      {
        paragraph:
          'The code admits one person, once. Earlier codes of this ticket are no longer valid. Do not share this mail.',
      },
    ],
    calendar: toCalendarFile(event),
  };
}
