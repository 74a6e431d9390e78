import * as z from 'zod';
import { unauthenticated } from '../core/errors.ts';
import { pageQuery } from '../core/schemas.ts';
import { partitions } from '../dynamo/keys.ts';
import { queryPage } from '../dynamo/query.ts';
import { categories, type Event, isListed, toEvent } from './event.ts';
import type { EventView } from './event-view.ts';
import { timestamp } from './fields.ts';
import { viewsOf } from './read-events.ts';

export const eventListQuery = pageQuery
  .extend({
    city: z.string().trim().max(200).optional(),
    category: z.string().toUpperCase().pipe(z.enum(categories)).optional(),
    from: timestamp.optional(),
    to: timestamp.optional(),
    organizerId: z.string().max(100).optional(),
    q: z.string().max(200).optional(),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ['to'], message: 'must not be before from' });
export type EventListQuery = z.infer<typeof eventListQuery>;

/**
 * A page of the public events, soonest first; for the organizer `me` of the caller's own, newest first and
 * with drafts.
 * @throws DomainError 401 for `me` without a caller, 400 for a foreign cursor
 */
export async function listEvents(
  query: EventListQuery,
  userId: string | undefined,
): Promise<{ events: EventView[]; nextCursor: string | null }> {
  const isOwn = query.organizerId === 'me';
  if (isOwn && !userId) throw unauthenticated('Authentication required');
  const matches = matcher(isOwn ? { ...query, organizerId: userId } : query);
  const isShown = (event: Event) => (isOwn || isListed(event)) && matches(event);
  const { items, nextCursor } = await queryPage(
    {
      ...(isOwn
        ? { index: 'byOwner', partition: partitions.organizerEvents(userId as string) }
        : // The sort keys go on with the event's id, and `~` comes after every id.
          { ...publicEvents, from: query.from, to: query.to && `${query.to}~` }),
      // Only where something is filtered: then many are read to find a few.
      ...(isFiltered(query, isOwn) && { filter: (item) => isShown(toEvent(item)) }),
    },
    query,
  );
  // The index lags behind: what was hidden a moment ago may still be on it.
  const events = await viewsOf(items.map(toEvent).filter(isShown));
  // Organizers who fill every field would otherwise make a list that no function can hand on.
  return events.length > 1 && Buffer.byteLength(JSON.stringify(events)) > maximumBytes
    ? listEvents({ ...query, limit: Math.ceil(query.limit / 2) }, userId)
    : { events, nextCursor };
}

/** Lambda hands on 6 MB at most. An event has up to a quarter of one. */
const maximumBytes = 5_000_000;

const publicEvents = { index: 'byEvent', partition: partitions.publicEvents, ascending: true } as const;

function isFiltered({ city, category, from, to, organizerId, q }: EventListQuery, isOwn: boolean): boolean {
  const filters = [city, category, q, ...(isOwn ? [from, to] : [organizerId])];
  return filters.some((filter) => filter !== undefined);
}

function matcher({ city, category, from, to, organizerId, q }: EventListQuery) {
  const words = q?.toLowerCase().split(/\s+/) ?? [];
  return (event: Event) =>
    (city === undefined || event.city.toLowerCase() === city.toLowerCase()) &&
    (category === undefined || event.category === category) &&
    (from === undefined || event.eventDate >= from) &&
    (to === undefined || event.eventDate <= to) &&
    (organizerId === undefined || event.organizerId === organizerId) &&
    words.every((word) => event.title.toLowerCase().includes(word));
}
