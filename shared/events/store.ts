import { getItem, type Item } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { notFound } from '../errors.ts';
import type { Event } from './event.ts';

/** An item of the table as an event. */
export function toEvent(item: Item): Event {
  const { pk, sk, eventPk, eventSk, ownerPk, ownerSk, ...event } = item;
  return {
    ...event,
    ticketPrice: BigInt(item.ticketPrice),
    tiers: item.tiers.map((tier: Item) => ({ ...tier, price: BigInt(tier.price) })),
  } as Event;
}

/** @throws DomainError 404 */
export async function getEvent(id: string): Promise<Event> {
  const item = await getItem(keys.event(id));
  if (!item) throw notFound('Event');
  return toEvent(item);
}
