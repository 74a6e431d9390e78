import { getUser } from '../../accounts/users/store.ts';
import { toCalendarFile } from '../../catalog/events/calendar.ts';
import { tierNameOf } from '../../catalog/events/event.ts';
import { getEventWithTexts } from '../../catalog/events/store.ts';
import { textsIn } from '../../catalog/texts/texts.ts';
import type { MailContent } from '../../messaging/outbox/mail.ts';
import { itemOfSeat, paidAmountOf } from '../../orders/order.ts';
import { getOrder } from '../../orders/store.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { signCode } from '../../tickets/check-in/admissions.ts';
import { findSeat, usedSeatError } from '../../tickets/seats/find-seat.ts';
import { readHolderIds } from '../../tickets/seats/mail-holders.ts';
import { nameOfferer } from '../../tickets/seats/name-offerer.ts';
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
  const { language } = order;
  const t = textsIn(language);
  return {
    to,
    language,
    accent: event.organizer?.accent,
    subject: t('received.subject', { event: event.title }),
    summary: t('received.summary', { event: event.title }),
    body: [
      { facts: eventFacts(event, language) },
      {
        ticket: {
          title: t('received.ticket'),
          detail: `${tier}, ${event.title}`,
          code,
        },
      },
      { button: t('openTickets'), url: `${requiredSetting('PUBLIC_URL')}/tickets` },
      { paragraph: t('received.note') },
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
  const tier = tierNameOf(event, itemOfSeat(order, seat.number));
  const { language } = order;
  const t = textsIn(language);
  return {
    to: offer.email,
    language,
    accent: event.organizer?.accent,
    subject: t('offered.subject', { event: event.title }),
    summary: t('offered.summary', { event: event.title, sender: await nameOfferer(order, offer) }),
    body: [
      { facts: [...eventFacts(event, language), [t('facts.ticket'), tier]] },
      { paragraph: t('offered.how', { email: offer.email }) },
      { button: t('offered.accept'), url: `${requiredSetting('PUBLIC_URL')}/transfers/${offer.token}` },
      { paragraph: t('offered.otherwise') },
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
  const { language } = order;
  const t = textsIn(language);
  const form = { count: 1, event: event.title };
  const cancellation = paidAmountOf(order) === 0n ? 'cancelled.summary' : 'cancelled.holderOfPaid';
  return {
    to,
    language,
    accent: event.organizer?.accent,
    subject: t(isCancelled ? 'cancelled.subject' : 'moved.subject', form),
    summary: t(isCancelled ? cancellation : 'moved.summary', form),
    body: [
      { facts: eventFacts(event, language) },
      ...(isCancelled ? [] : [{ paragraph: t('moved.valid', form) }]),
      { button: t('openTickets'), url: `${requiredSetting('PUBLIC_URL')}/tickets` },
    ],
    calendar: toCalendarFile(event),
  };
}
