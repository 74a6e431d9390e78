import { type Event, tierNameOf } from '../../catalog/events/event.ts';
import { locales } from '../../catalog/events/format.ts';
import type { OfferedEntry, WaitingEntry } from '../../catalog/waiting-list/entry.ts';
import type { Language } from '../../core/schemas.ts';
import {
  type Notification,
  type NotificationText,
  newNotification,
} from '../../messaging/notifications/store.ts';
import type { Order } from '../order.ts';

/** Builds the notification of an offer. Its id derives from the offer. */
export function offerNotification(entry: OfferedEntry, event: Event, at: number): Notification {
  const { userId, quantity, offer } = entry;
  return newNotification(`offer ${offer.id}`, at, {
    userId,
    type: 'SUCCESS',
    title: 'Tickets for you',
    message: `${describeTickets(entry, event)} ${quantity === 1 ? 'is' : 'are'} held for you until ${formatDeadline(entry, event)}. Buy them, or decline the offer for the next person.`,
    topic: 'tickets-offered',
    values: {
      event: event.title,
      count: quantity,
      tier: tierNameOf(event, entry),
      deadline: offer.expiresAt,
    },
  });
}

/** Builds the notification that an entry has ended. */
export function endedNotification(entry: WaitingEntry, event: Event): Notification {
  return newNotification(`waiting list ended ${entry.id} ${entry.updatedAt}`, Date.now(), {
    userId: entry.userId,
    type: 'INFO',
    title: 'You are no longer on the waiting list',
    ...describeEnding(entry, event),
    values: { event: event.title },
  });
}

/** Builds the notification that an offer was taken back. @param entry as it was before */
export function withdrawnNotification(entry: WaitingEntry, event: Event): Notification {
  return newNotification(`offer withdrawn ${entry.offer?.id}`, Date.now(), {
    userId: entry.userId,
    type: 'INFO',
    title: 'You are still on the waiting list',
    message: `The person who wanted to return the tickets to ${event.title} has kept them, so they are no longer held for you. You have kept your place, and the next tickets that suffice are yours.`,
    topic: 'offer-withdrawn',
    values: { event: event.title },
  });
}

/** Builds the notification that listed seats were not sold. @param numbers the seats @param at epoch milliseconds */
export function unsoldNotification(
  { id: orderId, userId, quantity }: Order,
  numbers: readonly number[],
  event: Event,
  at: number,
): Notification {
  return newNotification(`listing ended ${orderId} ${numbers.join()}`, at, {
    userId,
    orderId,
    type: 'INFO',
    title: numbers.length === 1 ? 'Your ticket was not sold' : 'Your tickets were not sold',
    message: describeUnsold(numbers, { quantity }, event),
    topic: quantity === numbers.length ? 'tickets-unsold' : 'tickets-of-order-unsold',
    values: { event: event.title, count: numbers.length, numbers: numbers.join(', ') },
  });
}

/** Explains that listed seats were not sold: `Nobody on the waiting list has bought ticket 2 of your order …`. */
function describeUnsold(
  numbers: readonly number[],
  { quantity }: Pick<Order, 'quantity'>,
  event: Event,
): string {
  const isOne = numbers.length === 1;
  const list = new Intl.ListFormat('en-GB').format(numbers.map(String));
  const mine = isOne ? 'your ticket' : 'your tickets';
  const which = quantity === numbers.length ? mine : `${isOne ? 'ticket' : 'tickets'} ${list} of your order`;
  return `Nobody on the waiting list has bought ${which} to ${event.title}. ${isOne ? 'It is' : 'They are'} no longer for sale, and ${isOne ? 'stays' : 'stay'} valid: you can still use ${isOne ? 'it' : 'them'}.`;
}

/** Explains why an entry has ended. @param entry as it was before */
function describeEnding(
  entry: Pick<WaitingEntry, 'offer'>,
  { status, title }: Event,
): Pick<NotificationText, 'topic' | 'message'> {
  if (status === 'CANCELLED') {
    return { topic: 'waiting-ended-event-cancelled', message: `${title} was cancelled.` };
  }
  return entry.offer
    ? {
        topic: 'waiting-ended-not-bought',
        message: `The tickets to ${title} were held for you, but you did not buy them in time.`,
      }
    : {
        topic: 'waiting-ended-none-left',
        message: `No more tickets to ${title} are offered to the waiting list.`,
      };
}

/** Describes the tickets of an entry: `2 tickets (Floor) to Night of the Lambdas`. */
function describeTickets({ quantity, tierId }: WaitingEntry, event: Event): string {
  const tickets = quantity === 1 ? '1 ticket' : `${quantity} tickets`;
  return `${tickets} (${tierNameOf(event, { tierId })}) to ${event.title}`;
}

/** Formats the end of an offer in the event's time zone. */
export function formatDeadline(
  { offer }: OfferedEntry,
  { timezone }: Event,
  language: Language = 'en',
): string {
  const format = new Intl.DateTimeFormat(locales[language], {
    timeZone: timezone,
    dateStyle: 'full',
    timeStyle: 'short',
  });
  return `${format.format(new Date(offer.expiresAt))} (${timezone.replaceAll('_', ' ')})`;
}
