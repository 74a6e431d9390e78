import { getUser } from '../../accounts/users/store.ts';
import { toCalendarFile } from '../../catalog/events/calendar.ts';
import { tierNameOf } from '../../catalog/events/event.ts';
import { formatPlace, formatTime } from '../../catalog/events/format.ts';
import { getEventWithTexts } from '../../catalog/events/store.ts';
import type { MailContent } from '../../messaging/outbox/mail.ts';
import { holderCancellationText } from '../../orders/notifications.ts';
import { itemOfSeat } from '../../orders/order.ts';
import { getOrder } from '../../orders/store.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { signCode } from '../../tickets/check-in/admissions.ts';
import { drawCodeAsPng } from '../../tickets/check-in/qr-code.ts';
import { findSeat, usedSeatError } from '../../tickets/seats/find-seat.ts';
import { readHolderIds } from '../../tickets/seats/mail-holders.ts';
import { holderOf } from '../../tickets/ticket.ts';
import type { Message } from './layout.ts';
import { areTicketsValid, eventFacts } from './order-messages.ts';

type TicketContent = Extract<MailContent, { kind: 'ticket-received' }>;

/**
 * Composes the mail with a transferred ticket, to its holder; undefined once the seat was transferred again or
 * admitted, and when it is no longer admitted.
 */
export async function composeTicketMessage(content: TicketContent): Promise<Message | undefined> {
  const seatContext = await findSeat(content);
  if (!seatContext || seatContext.seat.transfers !== content.transfers || usedSeatError(seatContext))
    return undefined;
  const { seat, order } = seatContext;
  const event = await getEventWithTexts(order.eventId);
  const { email: to } = await getUser(holderOf(seat, order));
  const tier = tierNameOf(event, itemOfSeat(order, seat.number));
  const code = await signCode(seat);
  return {
    to,
    accent: event.organizer?.accent,
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

type OfferContent = Extract<MailContent, { kind: 'ticket-offered' }>;

/** Composes the mail to the address that a seat is offered to; undefined once the offer has ended. */
export async function composeOfferMessage(content: OfferContent): Promise<Message | undefined> {
  const seatContext = await findSeat(content);
  const offer = seatContext?.seat.offer;
  if (!seatContext || offer?.status !== 'open' || offer.at !== content.offeredAt) return undefined;
  const { event, order, seat } = seatContext;
  const sender = await getUser(offer.fromUserId);
  const tier = tierNameOf(event, itemOfSeat(order, seat.number));
  return {
    to: offer.email,
    accent: event.organizer?.accent,
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

type HolderContent = Extract<MailContent, { kind: 'received-ticket-changed' }>;

/**
 * Composes the mail about a cancelled or changed event to the holder of a transferred seat.
 * @returns undefined once another user holds the seat; for a changed event also when the ticket is no longer valid
 */
export async function composeHolderMessage(content: HolderContent): Promise<Message | undefined> {
  const order = await getOrder(content.orderId);
  if (!(await readHolderIds(order)).includes(content.holderUserId)) return undefined;
  const event = await getEventWithTexts(order.eventId);
  const isCancelled = event.status === 'CANCELLED';
  if (!isCancelled && !areTicketsValid(order, event)) return undefined;
  const { email: to } = await getUser(content.holderUserId);
  return {
    to,
    accent: event.organizer?.accent,
    subject: `${isCancelled ? 'Cancelled' : 'New date or venue'}: ${event.title}`,
    summary: isCancelled
      ? holderCancellationText(order, event)
      : `The organizer has changed the date or the venue of ${event.title}. These are the new details.`,
    body: [
      { facts: eventFacts(event) },
      ...(isCancelled ? [] : [{ paragraph: 'Your ticket stays valid, with the same code.' }]),
      { button: 'Open your tickets', url: `${requiredSetting('PUBLIC_URL')}/tickets` },
    ],
    calendar: toCalendarFile(event),
  };
}
