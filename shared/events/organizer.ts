import { conflict, forbidden } from '../core/errors.ts';
import { InventoryChanged, InventoryShort } from '../inventory/store.ts';
import { pause } from '../runtime/retry.ts';
import type { Event } from './event.ts';
import { getVisibleEvent } from './read-events.ts';
import { EventChanged } from './store.ts';

/** Tries before the organizer is told that the event sells too fast to be changed. */
const maximumTries = 12;

/**
 * Does something with an event that only its organizer may do; anew whenever orders or another change got in
 * between.
 * @throws DomainError 404, 403 for all but the organizer, 409 with Retry-After when it did not come off
 */
export async function asOrganizer<Result>(
  id: string,
  userId: string,
  act: (event: Event) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; attempt <= maximumTries; attempt++) {
    const event = await getVisibleEvent(id, userId);
    if (event.organizerId !== userId) throw forbidden('Only the organizer of the event may do this');
    try {
      return await act(event);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      await pause(attempt);
    }
  }
  throw conflict('busy', 'Too much is being sold right now to change the event, please try again', 1);
}

function isOutdated(error: unknown): boolean {
  return (
    error instanceof EventChanged || error instanceof InventoryChanged || error instanceof InventoryShort
  );
}
