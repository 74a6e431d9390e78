import { authorize, organizerOf } from '../../accounts/auth/authorize.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { readContractStatuses } from '../contracts/read-contract-statuses.ts';
import { readAvailable } from '../inventory/store.ts';
import { managerOf, staffOf } from '../staff/entitlements.ts';
import { type Event, inventoryOf } from './event.ts';
import { type EventView, toEventView } from './event-view.ts';
import { getEventWithTexts } from './store.ts';

/** Returns views of events with the available tickets of each tier. @param events with their descriptions */
export async function readEventViews(events: readonly Event[]): Promise<EventView[]> {
  const [free, statuses] = await Promise.all([
    readAvailable(events.map(inventoryOf)),
    readContractStatuses(events),
  ]);
  return events.map((event, index) =>
    toEventView(event, free[index] ?? new Map(), statuses[index] ?? 'none'),
  );
}

export async function readEventView(event: Event): Promise<EventView> {
  const [view] = await readEventViews([event]);
  if (!view) throw new Error('readEventViews returned no view');
  return view;
}

/**
 * Returns an event that the caller may see: only the organizer and the staff see a draft.
 * @throws DomainError 404 for an unknown id, or a draft that the caller may not see
 */
export async function getVisibleEvent(id: string, userId: string | undefined): Promise<Event> {
  const event = await getEventWithTexts(id);
  if (event.status === 'DRAFT') authorize({ userId }, [await staffOf(event, { userId })], notFound('Event'));
  return event;
}

/**
 * Returns an event to its organizer.
 * @throws DomainError 404 when the caller may not see it, 403 for all but the organizer
 */
export async function getOwnEvent(id: string, userId: string): Promise<Event> {
  const event = await getVisibleEvent(id, userId);
  authorize({ userId }, [organizerOf(event)], forbidden('Only the organizer of the event may do this'));
  return event;
}

/**
 * Returns an event to its organizer or one of its managers.
 * @throws DomainError 404 when the caller may not see it, 403 for all others
 */
export async function getManagedEvent(id: string, userId: string): Promise<Event> {
  const event = await getVisibleEvent(id, userId);
  const refusal = forbidden('Only the organizer and managers of the event may do this');
  authorize({ userId }, [await managerOf(event, { userId })], refusal);
  return event;
}
