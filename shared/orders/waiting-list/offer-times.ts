import type { Event, Tier } from '../../catalog/events/event.ts';

/** The shortest time for which an offer holds tickets. */
export const shortestOfferMilliseconds = 30 * 60_000;

/** When the last offer of a tier's tickets can be made, epoch milliseconds. */
export function lastOfferAt(event: Event, tier: Tier): number {
  return offersEndAt(event, tier) - shortestOfferMilliseconds;
}

/** No offer outlasts the sale or the beginning of the event. */
export function offersEndAt(event: Event, { saleEnd = event.saleEnd }: Tier): number {
  return Math.min(...[saleEnd, event.saleEnd, event.eventDate].map(Date.parse));
}
