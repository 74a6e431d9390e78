import { type Event, inventoryOf, isAddOn } from '../../catalog/events/event.ts';
import { findEventWithTexts } from '../../catalog/events/store.ts';
import { toEventSummary } from '../../catalog/events/summary-view.ts';
import { eventPool } from '../../catalog/inventory/inventory.ts';
import { readAvailable } from '../../catalog/inventory/store.ts';
import { drawPages } from '../../catalog/queue/draw.ts';
import {
  admittedUpTo,
  automaticRate,
  changeRate,
  isQueued,
  type LastMinute,
  nextAutomaticRate,
  perMinuteOf,
  type QueueState,
} from '../../catalog/queue/queue.ts';
import {
  findQueueTask,
  postponeQueueTask,
  putDrawPages,
  QueueChanged,
  readDrawnPlaces,
  readLateCount,
  removeQueueTask,
  saveQueueState,
  settlingMilliseconds,
} from '../../catalog/queue/store.ts';
import { getChain } from '../../chain/chains.ts';
import { findFirstBlock } from '../../chain/find-block.ts';
import { startOfIds } from '../../core/ids.ts';
import { gatewayNames } from '../../core/schemas.ts';
import { eventOrderPartitions, partitions } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/read.ts';
import { readSoldOrders } from '../../money/ledger/store.ts';
import { findOpenBreakers } from '../../payments/breaker.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { turnMilliseconds } from '../checkout/draft-order.ts';

/** Shorter than the pause between two sweeps, so that each sweep finds the work. */
const pauseMilliseconds = 30_000;
/** How long the draw waits for a block of the chain, in milliseconds. */
const chainMilliseconds = 60_000;
const shortRetrySeconds = 5;

/**
 * Draws the queue of an event once it is due, and adapts its rate from then on. The sweep repeats it every minute until the
 * queue has ended. It may be interrupted at any write, and may run twice: the public value is stored first, and the order
 * follows from it.
 */
export async function tendQueue(eventId: string): Promise<void> {
  const task = await findQueueTask(eventId);
  if (!task) return;
  const event = await findEventWithTexts(eventId);
  try {
    const nextDueAt = event && (await advance(event, Date.now()));
    if (!event || nextDueAt === undefined) return await removeQueueTask(task);
    await postponeQueueTask(task, nextDueAt);
    const delaySeconds = Math.ceil((nextDueAt - Date.now()) / 1000);
    // The sweep is too slow while people wait for the draw.
    if (event.queueState?.draw || delaySeconds > shortRetrySeconds) return;
    await sendMessage(
      'run-event-jobs',
      { type: 'tend-queue', eventId },
      { tenant: task.organizerId, delaySeconds },
    );
  } catch (error) {
    // The organizer has changed the rate, or another worker continues: the next sweep does.
    if (!(error instanceof QueueChanged)) throw error;
  }
}

/** Does what is due. @returns when to continue (epoch milliseconds); undefined at the end of the queue */
async function advance(event: Event, now: number): Promise<number | undefined> {
  const { queue, queueState } = event;
  // A draft sells nothing. Publishing it starts the task again.
  if (!queue || !queueState || event.status !== 'PUBLISHED' || !isQueued(event, now)) return undefined;
  const settledAt = Date.parse(queue.drawAt) + settlingMilliseconds;
  if (now < settledAt) return settledAt;
  if (queueState.draw) {
    const isOver = await adaptRate(event, queueState, now);
    return isOver ? undefined : now + pauseMilliseconds;
  }
  const fixed = await fixPublicValue(event, queueState, Date.parse(queue.drawAt), now);
  if (!('seed' in fixed)) return now + fixed.retrySeconds * 1000;
  await draw(event, fixed);
  return Date.now() + pauseMilliseconds;
}

/**
 * Stores the public value of the draw: the hash of the chain's first block at or after the time of the draw, once it is
 * final; empty where no node has such a block within a minute, or it is not final long after it should be.
 * @returns when to try again while the block is not final
 */
async function fixPublicValue(
  event: Event,
  state: QueueState,
  drawAt: number,
  now: number,
): Promise<QueueState | { retrySeconds: number }> {
  if (state.publicValue !== undefined) return state;
  const found = await findFirstBlock(event.chainId, drawAt);
  const { finalitySeconds } = getChain(event.chainId);
  const isFinalBy = drawAt + chainMilliseconds + 2_000 * finalitySeconds;
  if (!found && now < drawAt + chainMilliseconds) return { retrySeconds: shortRetrySeconds };
  if (found === 'not-final' && now < isFinalBy)
    return { retrySeconds: Math.max(shortRetrySeconds, finalitySeconds / 10) };
  const block = typeof found === 'object' ? found : undefined;
  return saveQueueState(event.id, state, {
    ...state,
    publicValue: block?.hash ?? '',
    ...(block && { block: { chainId: event.chainId, number: block.number } }),
  });
}

/** Writes the order of the places, and admits the first from then on. */
async function draw(event: Event, state: QueueState): Promise<void> {
  const placeIds = await readDrawnPlaces(event.id);
  const pages = drawPages(placeIds, { seed: state.seed, publicValue: state.publicValue ?? '' });
  await putDrawPages(event, pages);
  const people = placeIds.length + (await readLateCount(event.id));
  const perMinute = state.perMinute ?? automaticRate.first;
  const change = { perMinute, people, turnMilliseconds: turnMilliseconds(), now: Date.now() };
  const drawn = { ...state, draw: { count: placeIds.length, pages: pages.length } };
  await saveQueueState(event.id, state, changeRate(drawn, change));
}

/** Stores the rate of the next minute. @returns whether the queue is over, since everything is sold */
async function adaptRate(event: Event, state: QueueState, now: number): Promise<boolean> {
  const isOver = await isSoldOut(event);
  if (isOver) {
    await saveQueueState(event.id, state, { ...state, isOver });
    return true;
  }
  if (state.isPaused) return false;
  const people = (state.draw?.count ?? 0) + (await readLateCount(event.id));
  const perMinute =
    state.perMinute ??
    nextAutomaticRate(perMinuteOf(state), await readLastMinute(event.id, state, people, now));
  const change = { perMinute, people, turnMilliseconds: turnMilliseconds(), now };
  await saveQueueState(event.id, state, changeRate(state, change));
  return false;
}

async function readLastMinute(
  eventId: string,
  { rates }: QueueState,
  people: number,
  now: number,
): Promise<LastMinute> {
  const since = now - 60_000;
  const [before, upTo] = [since, now].map((time) => Math.min(people, admittedUpTo(rates, time)));
  const admitted = Number(upTo) - Number(before);
  const [ordered, refused, openBreakers] = await Promise.all([
    countBuyers(eventId, since),
    countRefusals(eventId, since),
    findOpenBreakers(gatewayNames),
  ]);
  return { admitted, ordered, refused, isProviderFailing: openBreakers.size > 0 };
}

/** Counts the places with a refused order. @param since epoch milliseconds */
async function countRefusals(eventId: string, since: number): Promise<number> {
  let count = 0;
  for await (const { at } of queryAll({ partition: partitions.queueRefusals(eventId) }, 2_000))
    if (Number(at) >= since) count++;
  return count;
}

/** More buyers than this raise every automatic rate. */
const enoughBuyers = automaticRate.ceiling / 4;

/** Counts the buyers with an order since a time (epoch milliseconds), until there are enough. */
async function countBuyers(eventId: string, since: number): Promise<number> {
  const source = {
    index: 'byEvent',
    partition: eventOrderPartitions(eventId),
    from: startOfIds(since),
  } as const;
  const buyers = new Set<unknown>();
  for await (const { userId } of queryAll(source)) if (buyers.add(userId).size > enoughBuyers) break;
  return buyers.size;
}

/** Returns whether all tickets are sold, and none are held by an order. */
async function isSoldOut(event: Event): Promise<boolean> {
  const [free = new Map<string, number>()] = await readAvailable([inventoryOf(event)]);
  const isEmpty = (id: string) => free.get(id) === 0;
  if (!isEmpty(eventPool) && !event.tiers.every((tier) => isAddOn(tier) || isEmpty(tier.id))) return false;
  const orders = [];
  for await (const order of readSoldOrders(event.organizerId, event.id)) orders.push(order);
  return toEventSummary(event, free, orders).tiers.every(({ kind, held }) => kind === 'addon' || held === 0);
}
