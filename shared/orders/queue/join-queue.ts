import type * as z from 'zod';
import { countAttempt } from '../../accounts/rate-limit.ts';
import { isClosed, toUser } from '../../accounts/users/user.ts';
import { toEvent } from '../../catalog/events/event.ts';
import type { DrawSource } from '../../catalog/queue/draw.ts';
import {
  estimateSeconds,
  isQueued,
  type Place,
  phaseOf,
  placeIdOf,
  type QueuedEvent,
  type QueueState,
  turnOf,
} from '../../catalog/queue/queue.ts';
import {
  findDrawnNumber,
  findPlace,
  insertPlace,
  moveBehindDraw,
  nextLateNumber,
  type StoredPlace,
} from '../../catalog/queue/store.ts';
import type { joinedView } from '../../catalog/queue/views.ts';
import { conflict, notFound, unauthenticated } from '../../core/errors.ts';
import { hashEmail } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItems } from '../../dynamo/read.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { signQueueTicket } from '../../runtime/tokens.ts';
import { requireEligible, turnMilliseconds } from '../checkout/draft-order.ts';

/**
 * Joins the queue of an event, or shows the user's place as it now is. A place costs one write; the place of the draw gets
 * its number by the draw, and each later one by the order of joining.
 * @param address the IP address of the user, whose places may be limited
 * @throws DomainError 404, 409 outside of the queue, 429 for too many places of one address; as `requireEligible`
 */
export async function joinQueue(
  userId: string,
  eventId: string,
  address: string,
): Promise<z.infer<typeof joinedView>> {
  const [eventItem, userItem] = await getItems([keys.event(eventId), keys.user(userId)]);
  const user = userItem && toUser(userItem);
  if (!user || isClosed(user)) throw unauthenticated('Authentication required');
  const event = eventItem && toEvent(eventItem);
  if (!event || event.status === 'DRAFT') throw notFound('Event');
  const { queue, queueState } = event;
  if (!queue || !queueState) throw conflict('no-queue', 'This event has no queue');
  const now = Date.now();
  if (phaseOf(event, now) === 'closed') throw conflict('queue-not-open', 'The queue has not opened yet');
  const placeId = placeIdOf(queueState, userId);
  let stored = await findPlace(eventId, placeId);
  if (!stored) {
    if (!isQueued(event, now) || event.status === 'CANCELLED') {
      throw conflict('queue-ended', 'The queue has ended');
    }
    requireEligible(event, user);
    await countPlace(eventId, address);
    const isDrawn = now < Date.parse(queue.drawAt);
    const late = isDrawn ? undefined : await takeLateNumber(event, placeId);
    stored = await insertPlace(event, placeId, { joinedAt: now, ...(late && { late }) });
  }
  const place = { id: placeId, ...(await findNumber({ ...event, queueState }, placeId, stored)) };
  const { number, joinedAt } = place;
  const ticket = { eventId, userId, placeId, number, joinedAt };
  return {
    ...showPlace(event, place, now),
    ticket: await signQueueTicket(ticket, Math.max(Date.parse(queue.until), now)),
  };
}

/**
 * Takes a number behind the draw. Calls of one person at the same moment take one each, of which the place keeps the first; the
 * others' turns pass unused.
 * @throws DomainError 429 after three in ten minutes, so that nobody uses up the turns of others
 */
async function takeLateNumber(event: QueuedEvent, placeId: string): Promise<number> {
  await countAttempt(keys.attempts('QUEUE_NUMBER', placeId), {
    maximum: 3,
    windowSeconds: 10 * 60,
    message: 'You are joining the queue already, please try again in a moment',
  });
  return nextLateNumber(event);
}

/** @throws DomainError 429 */
async function countPlace(eventId: string, address: string): Promise<void> {
  const maximum = optionalSetting('QUEUE_PLACES_PER_ADDRESS');
  if (maximum === undefined) return;
  await countAttempt(keys.attempts('QUEUE', hashEmail(`${eventId}#${address}`)), {
    maximum: Number(maximum),
    windowSeconds: 24 * 60 * 60,
    message: 'Too many people have joined this queue from your network',
  });
}

/** Returns the number of a place once it has one, and when it got it after the draw. */
async function findNumber(
  event: QueuedEvent & { queueState: QueueState },
  placeId: string,
  { late, joinedAt }: StoredPlace,
): Promise<Pick<Place, 'number' | 'joinedAt'>> {
  const { seed, publicValue = '', draw } = event.queueState;
  if (!draw) return {};
  if (late !== undefined) return { number: draw.count + late, joinedAt };
  const source: DrawSource = { seed, publicValue };
  const number = await findDrawnNumber(event.id, placeId, source, draw.pages);
  if (number !== undefined) return { number };
  // The place was stored too late for the draw: it follows.
  const follower = await moveBehindDraw(event, placeId, await takeLateNumber(event, placeId), Date.now());
  return findNumber(event, placeId, follower);
}

function showPlace(event: QueuedEvent, place: Place, now: number) {
  const { id, number } = place;
  const turn = turnOf(event, place, turnMilliseconds(), now);
  const estimate =
    number === undefined || turn.state !== 'waiting' ? undefined : estimateSeconds(event, number, now);
  const drawInSeconds = Math.max(0, Date.parse(event.queue?.drawAt ?? '') - now) / 1000;
  const expected = number === undefined ? drawInSeconds : (estimate ?? 0);
  return {
    place: {
      id,
      state: turn.state,
      number: number ?? null,
      estimatedSeconds: turn.state === 'waiting' ? (estimate ?? null) : 0,
      ...(turn.state !== 'waiting' && { admittedUntil: new Date(turn.until).toISOString() }),
    },
    // The last minutes are read often enough, and the first hours cost nothing.
    pollSeconds: Math.ceil(Math.min(60, Math.max(3, expected / 10))),
  };
}
