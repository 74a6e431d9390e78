import type { Event, Tier } from '../../catalog/events/event.ts';
import type { WaitingEntry } from '../../catalog/waiting-list/entry.ts';
import { optionalSetting } from '../../runtime/config.ts';

/** The shortest time for which an offer holds tickets. */
const shortestOfferMilliseconds = 30 * 60_000;

/** When the last offer of a tier's tickets can be made, epoch milliseconds. */
export function lastOfferAt(event: Event, tier: Tier): number {
  return offersEndAt(event, tier) - shortestOfferMilliseconds;
}

/** No offer outlasts the sale or the beginning of the event. */
function offersEndAt(event: Event, { saleEnd = event.saleEnd }: Tier): number {
  return Math.min(...[saleEnd, event.saleEnd, event.eventDate].map(Date.parse));
}

/**
 * Returns when an offer that is made now ends, epoch milliseconds. Where its length depends on how long its person has waited,
 * nobody who sold the event out by unpaid orders, and then joins, holds the tickets for a day.
 */
export function offerEndsAt({ joinedAt }: WaitingEntry, event: Event, tier: Tier, now: number): number {
  const longest = Number(optionalSetting('OFFER_HOURS') ?? 24) * 60 * 60_000;
  const growsWithWait = optionalSetting('OFFER_AS_LONG_AS_WAITED') === 'true';
  const length = growsWithWait
    ? Math.min(longest, Math.max(now - Date.parse(joinedAt), shortestOfferMilliseconds))
    : longest;
  return Math.min(now + length, offersEndAt(event, tier));
}
