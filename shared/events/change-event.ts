import { isDeepStrictEqual } from 'node:util';
import { ticketsPerShard } from '../stock/shard-size.ts';
import { cutShards } from './cut-shards.ts';
import type { Event } from './event.ts';
import type { EventView } from './event-view.ts';
import { asOrganizer } from './organizer.ts';
import { viewOf } from './read-events.ts';
import { writeChange } from './write-change.ts';

/**
 * Changes an event as `decide` says, on behalf of its organizer.
 * @returns the event with the change
 * @throws DomainError 404, 403 for all but the organizer, what `decide` throws, 409 for what the tickets sold
 * and held forbid, or with Retry-After when orders kept getting in between
 */
export function changeEvent(id: string, userId: string, decide: (event: Event) => Event): Promise<EventView> {
  return asOrganizer(id, userId, async (before) => {
    const after = cutShards(before, decide(before), ticketsPerShard());
    if (isDeepStrictEqual(before, after)) return viewOf(before);
    const changed = { ...after, updatedAt: timeAfter(before.updatedAt) };
    await writeChange(before, changed);
    return viewOf(changed);
  });
}

/** Now, but later than the last change in any case, so that no two states of an event have the same time. */
function timeAfter(last: string): string {
  return new Date(Math.max(Date.now(), Date.parse(last) + 1)).toISOString();
}
