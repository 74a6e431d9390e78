import { notFound } from '../core/errors.ts';
import { readAvailable } from '../inventory/store.ts';
import { type Event, inventoryOf } from './event.ts';
import { type EventView, toEventView } from './event-view.ts';
import { getEvent } from './store.ts';

/** Events as the API shows them, with what is left of each tier. */
export async function viewsOf(events: readonly Event[]): Promise<EventView[]> {
  const free = await readAvailable(events.map(inventoryOf));
  return events.map((event, at) => toEventView(event, free[at] ?? new Map()));
}

export async function viewOf(event: Event): Promise<EventView> {
  return toEventView(event, (await readAvailable([inventoryOf(event)]))[0] ?? new Map());
}

/**
 * An event that the caller may know of: a draft is its organizer's alone.
 * @throws DomainError 404
 */
export async function getVisibleEvent(id: string, userId: string | undefined): Promise<Event> {
  const event = await getEvent(id);
  if (event.status === 'DRAFT' && event.organizerId !== userId) throw notFound('Event');
  return event;
}
