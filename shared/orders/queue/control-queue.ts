import { type Actor, admin, authorize } from '../../accounts/auth/authorize.ts';
import { getEvent } from '../../catalog/events/store.ts';
import {
  automaticRate,
  changeRate,
  isQueued,
  perMinuteOf,
  type QueueState,
} from '../../catalog/queue/queue.ts';
import { QueueChanged, readLateCount, saveQueueState } from '../../catalog/queue/store.ts';
import { type QueueControl, type QueueView, toQueueView } from '../../catalog/queue/views.ts';
import { managerOf, staffOf } from '../../catalog/staff/entitlements.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import { retry } from '../../runtime/retry.ts';
import { turnMilliseconds } from '../checkout/draft-order.ts';
import { requireQueue } from './show-queue.ts';

/**
 * Pauses a queue, or changes its rate, from now on. It also applies to a queue that is not drawn yet.
 * @throws DomainError 404 when the caller may not see the event, 403 for all but organizer, managers and admins; 409 for
 * an event without a queue, and for one that has ended
 */
export function controlQueue(caller: Actor, eventId: string, control: QueueControl): Promise<QueueView> {
  const change = async () => {
    const found = await getEvent(eventId);
    if (found.status === 'DRAFT') authorize(caller, [await staffOf(found, caller), admin], notFound('Event'));
    const refusal = forbidden('Only the organizer and managers of the event may do this');
    authorize(caller, [await managerOf(found, caller), admin], refusal);
    const event = requireQueue(found);
    const now = Date.now();
    if (!isQueued(event, now)) throw conflict('queue-ended', 'The queue has ended');
    const people = event.queueState.draw ? event.queueState.draw.count + (await readLateCount(eventId)) : 0;
    const after = applyControl(event.queueState, control, people, now);
    const queueState = await saveQueueState(eventId, event.queueState, after);
    return toQueueView({ ...event, queueState }, now);
  };
  return retry(change, {
    isRetryable: (error) => error instanceof QueueChanged,
    exhaustedError: () => conflict('busy', 'The queue is being changed. Please try again', 1),
  });
}

function applyControl(state: QueueState, control: QueueControl, people: number, now: number): QueueState {
  const { perMinute: before, ...others } = state;
  const chosen = control.perMinute === undefined ? before : (control.perMinute ?? undefined);
  const changed: QueueState = {
    ...others,
    ...(chosen !== undefined && { perMinute: chosen }),
    isPaused: control.paused ?? state.isPaused,
  };
  if (!state.draw) return changed;
  // An automatic rate begins where the chosen one was.
  const perMinute = chosen ?? Math.min(automaticRate.ceiling, perMinuteOf(state));
  return changeRate(changed, { perMinute, people, turnMilliseconds: turnMilliseconds(), now });
}
