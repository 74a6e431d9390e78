import * as z from 'zod';
import { coversEvent } from '../../accounts/auth/authorize.ts';
import { findAddressOwner } from '../../accounts/users/store.ts';
import { unauthenticated } from '../../core/errors.ts';
import { maximumResponseBytes, responseBytes } from '../../core/response-size.ts';
import { pageQuery } from '../../core/schemas.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { getItems, type Item, queryPage } from '../../dynamo/read.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import { listMemberships } from '../staff/store.ts';
import { categories, type Event, inventoryOf, isListed, removeHiddenTiers, toEvent } from './event.ts';
import type { EventView } from './event-view.ts';
import { timestamp } from './fields.ts';
import { readEventViews } from './read-events.ts';
import { addTexts } from './store.ts';

export const eventListQuery = pageQuery
  .extend({
    city: z
      .string()
      .trim()
      .max(200)
      .optional()
      .meta({ description: 'Only events in this city. Case does not matter' }),
    category: z
      .string()
      .toUpperCase()
      .pipe(z.enum(categories))
      .optional()
      .meta({ description: 'Only events of this category. Case does not matter' }),
    from: timestamp.optional().meta({ description: 'Only events that begin at this time or later' }),
    to: timestamp.optional().meta({ description: 'Only events that begin at this time or earlier' }),
    organizerId: z.string().max(100).optional().meta({
      description: 'Only events of this organizer. `me`: the caller’s own events, including drafts',
    }),
    staff: z
      .literal('me')
      .optional()
      .meta({ description: 'Only events at which the caller is on the staff' }),
    q: z.string().max(200).optional().meta({
      description: 'Only events whose title, venue and city contain all these words. Case does not matter',
    }),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ['to'], message: 'must not be before from' });
export type EventListQuery = z.infer<typeof eventListQuery>;

/**
 * Lists a page of the public events, soonest first. With `organizerId=me` it lists the caller's own events, with
 * `staff=me` the events at which the caller works. Both lists include drafts and are sorted newest first. An API key
 * lists the events of its organizer that it covers.
 * @throws DomainError 401 for `me` without a caller, 400 for a cursor of another list
 */
export async function listEvents(
  requested: EventListQuery,
  caller: Pick<AccessClaims, 'userId' | 'key'> | undefined,
): Promise<{ events: EventView[]; nextCursor: string | null }> {
  const userId = caller?.userId;
  const key = caller?.key;
  const query = key ? { ...requested, organizerId: 'me', staff: undefined } : requested;
  const isOwn = query.organizerId === 'me';
  if ((isOwn || query.staff) && !userId) throw unauthenticated('Authentication required');
  if (query.staff) return listStaffEvents(query, userId as string);
  const matches = createEventFilter(isOwn ? { ...query, organizerId: userId } : query);
  const isShown = (event: Event) =>
    (isOwn || isListed(event)) && coversEvent(key, event.id) && matches(event);
  const { items, nextCursor } = await queryPage(
    {
      ...(isOwn
        ? { index: 'byOwner', partition: partitions.organizerEvents(userId as string) }
        : // Sort keys end with the event's id, and `~` sorts after every id.
          { ...publicEvents, from: query.from, to: query.to && `${query.to}~` }),
      costOf: (item, isSelected) => sizeOf(item) + (isSelected ? costOfCounters(toEvent(item)) : 0),
      // Omitted when nothing is filtered, since a filter makes the query read many items to find a few.
      ...((isFiltered(query, isOwn) || key?.eventIds) && { filter: (item) => isShown(toEvent(item)) }),
    },
    query,
  );
  // The index is eventually consistent: it may still contain an event that is no longer listed.
  const shownEvents = items.map(toEvent).filter(isShown);
  const events = await readEventViews(
    await addTexts(isOwn ? shownEvents : shownEvents.map((event) => removeHiddenTiers(event))),
  );
  return isTooLarge(events)
    ? listEvents({ ...query, limit: Math.ceil(query.limit / 2) }, caller)
    : { events, nextCursor };
}

const sizeOf = (item: Item) =>
  Buffer.byteLength(JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? Number(value) : value)));

/** The cost of reading the counters of an event's tiers, up to 93, in bytes. */
const costOfCounters = (event: Event) =>
  inventoryOf(event).pools.reduce((sum, { shards }) => sum + shards * 1_000, 0);

/** Returns whether events exceed Lambda's response limit, as a full page with the longest texts does: up to 250 KB each. */
function isTooLarge(events: readonly EventView[]): boolean {
  return events.length > 1 && responseBytes(events) > maximumResponseBytes;
}

/**
 * Lists a page of the events at which a user works, with their role: none until the user has confirmed the address. A page
 * may contain fewer than `limit` events even when more follow.
 */
async function listStaffEvents(
  query: EventListQuery,
  userId: string,
): Promise<{ events: EventView[]; nextCursor: string | null }> {
  const user = await findAddressOwner(userId);
  if (!user) return { events: [], nextCursor: null };
  const { memberships, nextCursor } = await listMemberships(user.email, query);
  const items = await getItems(memberships.map(({ eventId }) => keys.event(eventId)));
  const matches = createEventFilter(query.organizerId === 'me' ? { ...query, organizerId: userId } : query);
  // Deleting an event removes its item before its staff.
  const events = items.flatMap((item) => (item ? [toEvent(item)] : [])).filter(matches);
  const roles = new Map(memberships.map(({ eventId, role }) => [eventId, role]));
  const shownEvents = events.map((event) =>
    roles.get(event.id) === 'manager' ? event : removeHiddenTiers(event),
  );
  const counterCost = shownEvents.reduce((sum, event) => sum + costOfCounters(event), 0);
  const listHalf = () => listStaffEvents({ ...query, limit: Math.ceil(query.limit / 2) }, userId);
  if (events.length > 1 && counterCost > maximumCounterCost) return listHalf();
  const views = await readEventViews(await addTexts(shownEvents));
  return isTooLarge(views)
    ? listHalf()
    : { events: views.map((event) => ({ ...event, staffRole: roles.get(event.id) })), nextCursor };
}

/** Anybody can put anybody on the staff of many events. */
const maximumCounterCost = 1_000_000;

const publicEvents = { index: 'byEvent', partition: partitions.publicEvents, ascending: true } as const;

function isFiltered({ city, category, from, to, organizerId, q }: EventListQuery, isOwn: boolean): boolean {
  const filters = [city, category, q, ...(isOwn ? [from, to] : [organizerId])];
  return filters.some((filter) => filter !== undefined);
}

/** What `q` searches, in lower case. */
function searchedText({ title, venue, city }: Event): string {
  return `${title}\n${venue}\n${city}`.toLowerCase();
}

function createEventFilter({ city, category, from, to, organizerId, q }: EventListQuery) {
  const words = q?.toLowerCase().split(/\s+/) ?? [];
  return (event: Event) =>
    (city === undefined || event.city.toLowerCase() === city.toLowerCase()) &&
    (category === undefined || event.category === category) &&
    (from === undefined || event.eventDate >= from) &&
    (to === undefined || event.eventDate <= to) &&
    (organizerId === undefined || event.organizerId === organizerId) &&
    words.every((word) => searchedText(event).includes(word));
}
