import type * as z from 'zod';
import type { Event } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import type { QueueState } from '../../catalog/queue/queue.ts';
import { findDrawPage } from '../../catalog/queue/store.ts';
import { drawSourceOf, type drawView, type QueueView, toQueueView } from '../../catalog/queue/views.ts';
import { conflict, notFound } from '../../core/errors.ts';

type WithQueue = Event & { queue: NonNullable<Event['queue']>; queueState: QueueState };

/** Returns an event with a queue. @throws DomainError 409 for any other */
export function requireQueue(event: Event): WithQueue {
  const { queue, queueState } = event;
  if (!queue || !queueState) throw conflict('no-queue', 'This event has no queue');
  return { ...event, queue, queueState };
}

async function getPublicQueue(eventId: string): Promise<WithQueue> {
  const event = await getEvent(eventId);
  if (event.status === 'DRAFT') throw notFound('Event');
  return requireQueue(event);
}

/** Returns the state of a queue, which everybody can know. It reads the event only. @throws DomainError 404, 409 */
export async function showQueue(eventId: string): Promise<QueueView> {
  return toQueueView(await getPublicQueue(eventId), Date.now());
}

/** Returns a page of a draw, which never changes. @param page from 1 @throws DomainError 404, 409 before the draw */
export async function showDraw(eventId: string, page: number): Promise<z.infer<typeof drawView>> {
  const event = await getPublicQueue(eventId);
  const { draw } = event.queueState;
  if (!draw) throw conflict('not-drawn', 'The draw has not taken place yet');
  const { commitment, seed, publicValue, publicValueSource } = drawSourceOf(event, Date.now());
  const { first = 1, ids = [] } = (page <= draw.pages && (await findDrawPage(eventId, page - 1))) || {};
  return {
    commitment: commitment ?? '',
    seed: seed ?? '',
    publicValue: publicValue ?? '',
    publicValueSource: publicValueSource ?? '',
    ...draw,
    places: ids.map((id, index) => ({ id, number: first + index })),
  };
}
