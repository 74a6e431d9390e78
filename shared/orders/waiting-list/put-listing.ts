import type { Event } from '../../catalog/events/event.ts';
import { dueAttributes, keys } from '../../dynamo/keys.ts';
import { type Condition, put, type Write } from '../../dynamo/write.ts';
import { itemOfSeat, type Order } from '../order.ts';
import { lastOfferAt } from './offer-times.ts';

const dayMilliseconds = 24 * 60 * 60_000;
/** How often the listing of a seat that backs an offer is checked after the last offer was made. */
const pauseMilliseconds = 5 * 60_000;

/**
 * Returns the write that leads the waiting lists to an order with listed seats, and has them checked when they are no longer
 * offered.
 * @param seats the numbers of the listed seats
 * @param version another one each time
 */
export function putListing(
  order: Order,
  seats: readonly number[],
  { event, version }: { event: Event; version: string },
  condition?: Condition,
): Write {
  const { id: orderId, eventId } = order;
  const now = Date.now();
  const ends = seats.flatMap((number) => findLastOfferAt(event, itemOfSeat(order, number)));
  // Each day, since the organizer may end the sale earlier.
  const dueAt = Math.min(
    now + dayMilliseconds,
    ...ends.map((at) => (at > now ? at : now + pauseMilliseconds)),
  );
  const item = { ...keys.listing(eventId, orderId), eventId, orderId, version };
  return put({ ...item, ...dueAttributes(orderId, dueAt) }, condition);
}

/** Returns when the last offer of a tier can be made (epoch milliseconds), as an array; an empty one for a deleted tier. */
export function findLastOfferAt(event: Event, { tierId }: { tierId: string }): number[] {
  const tier = event.tiers.find(({ id }) => id === tierId);
  return tier ? [lastOfferAt(event, tier)] : [];
}
