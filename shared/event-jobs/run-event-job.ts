import { DomainError } from '../core/errors.ts';
import { partitions } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import type { Event } from '../events/event.ts';
import { getEvent } from '../events/store.ts';
import { announceMove } from '../orders/announce-move.ts';
import { mintAgain } from '../orders/fulfilment/request-fulfilment.ts';
import { type Order, toOrder } from '../orders/order.ts';
import { cancelEventOrder } from '../orders/settlement/cancel-event-order.ts';
import { log } from '../runtime/log.ts';
import { send } from '../runtime/queue.ts';
import { type EventJob, nextPass } from './event-job.ts';
import { EventJobMoved, findEventJob, removeEventJob, saveProgress } from './store.ts';

type Step = (order: Order, event: Event, job: EventJob) => Promise<void>;

/** What each kind does to one order. Repeating it has no effect. */
const steps: Record<EventJob['kind'], Step> = {
  cancel: cancelEventOrder,
  'mint-again': mintAgain,
  'announce-move': (order, event, { startedAt }) => announceMove(order, event, startedAt),
};

/** Orders between two writes of the cursor. */
const sliceSize = 100;
/** Orders at once. More would meet at the inventory items that tickets of the same event return to. */
const parallel = 5;
/** How long the sweep leaves a job to the worker that wrote its cursor: longer than the function may run. */
const lease = 2 * 60_000;

/**
 * Continues a job from its cursor. After a crash the slice is repeated, by the sweep's next message.
 * @param deadline when to stop and leave the rest to another message (epoch milliseconds)
 */
export async function runEventJob(eventId: string, kind: EventJob['kind'], deadline: number): Promise<void> {
  const job = await findEventJob(eventId, kind);
  if (!job) return;
  try {
    const event = await findEvent(eventId);
    if (!event) return await removeEventJob(job);
    await continuePass(job, event, deadline);
  } catch (error) {
    if (!(error instanceof EventJobMoved)) throw error;
  }
}

async function continuePass(found: EventJob, event: Event, deadline: number): Promise<void> {
  const passStartedAt = found.passStartedAt ?? new Date().toISOString();
  let job = await saveProgress(found, { passStartedAt }, Date.now() + lease);
  for await (const slice of slices(job)) {
    const failures = await runSlice(slice, event, job);
    const cursor = slice.at(-1)?.id;
    job = await saveProgress(job, { cursor, failures: job.failures + failures }, Date.now() + lease);
    if (Date.now() > deadline) return continueLater(job);
  }
  const next = nextPass(job, Date.now());
  if (next === undefined) return removeEventJob(job);
  const failedPasses = job.failures > 0 ? job.failedPasses + 1 : 0;
  await saveProgress(job, { passStartedAt: undefined, cursor: undefined, failures: 0, failedPasses }, next);
}

/** The rest of the present pass. */
async function* slices({ eventId, cursor }: EventJob): AsyncGenerator<Order[]> {
  const source = { index: 'byEvent', partition: partitions.eventOrders(eventId), to: cursor } as const;
  let slice: Order[] = [];
  for await (const item of queryAll(source)) {
    slice.push(toOrder(item));
    if (slice.length < sliceSize) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/** @returns how many orders failed; the next pass repeats them */
async function runSlice(orders: Order[], event: Event, job: EventJob): Promise<number> {
  const rest = orders.values();
  let failures = 0;
  const work = async () => {
    for (const order of rest) {
      try {
        await steps[job.kind](order, event, job);
      } catch (error) {
        failures++;
        log.error('Order of an event job failed', error, { orderId: order.id, eventId: event.id });
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return failures;
}

async function continueLater(job: EventJob): Promise<void> {
  const { eventId, kind, organizerId: tenant } = job;
  // Due at once, in case the message is lost.
  await saveProgress(job, {}, Date.now());
  await send('event', { eventId, kind }, { tenant });
}

async function findEvent(id: string): Promise<Event | undefined> {
  try {
    return await getEvent(id);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'event-not-found') return undefined;
    throw error;
  }
}
