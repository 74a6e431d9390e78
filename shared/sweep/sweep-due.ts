import * as z from 'zod';
import type { Item } from '../dynamo/client.ts';
import { dueShards, partitions } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import { type Event, toEvent } from '../events/event.ts';
import { clearCancellationDue } from '../events/store.ts';
import { toOrder } from '../orders/order.ts';
import { cancelEventOrders } from '../orders/settlement/cancel-event-orders.ts';
import { log } from '../runtime/log.ts';
import { send } from '../runtime/queue.ts';
import { sweepOrder } from './sweep-order.ts';

/** Due items of one partition that are processed concurrently. */
const parallel = 10;

/**
 * Processes all items that are due: expired holds, unsent messages, mint transactions to check, payouts to send and
 * cancelled events. An item that fails stays due and does not block the others. Concurrent sweeps are harmless, since
 * every step is conditional.
 * @param deadline when to stop and leave the rest to the next sweep (epoch milliseconds)
 */
export async function sweep(deadline: number): Promise<void> {
  await Promise.all(Array.from({ length: dueShards }, (_, shard) => sweepShard(shard, deadline)));
}

async function sweepShard(shard: number, deadline: number): Promise<void> {
  const source = {
    index: 'byDue',
    partition: partitions.due(shard),
    to: new Date().toISOString(),
    ascending: true,
  } as const;
  let batch: Item[] = [];
  for await (const item of queryAll(source)) {
    if (Date.now() > deadline) return;
    batch.push(item);
    if (batch.length === parallel) {
      await Promise.all(batch.map((item) => sweepItem(item, deadline)));
      batch = [];
    }
  }
  await Promise.all(batch.map((item) => sweepItem(item, deadline)));
}

/** The keys and the due time (ISO 8601) of an item; its kind follows from the sort key. */
const due = z.object({ pk: z.string(), sk: z.string(), dueAt: z.string().optional() });
const duePayout = z.object({ id: z.string() });
const dueBurn = z.object({ orderId: z.string() });
const dueNonce = z.object({ chainId: z.number(), signer: z.string(), nonce: z.number() });

async function sweepItem(item: Item, deadline: number): Promise<void> {
  const { pk, sk, dueAt } = due.parse(item);
  // The index is eventually consistent: the item says whether it is still due.
  if (!dueAt || dueAt > new Date().toISOString()) return;
  try {
    if (sk === 'ORDER') return await sweepOrder(toOrder(item), dueAt);
    if (sk === 'EVENT') return await sweepCancelledEvent(toEvent(item), dueAt, deadline);
    if (sk === 'PAYOUT') return await send('payout', { payoutId: duePayout.parse(item).id });
    if (sk === 'BURN') return await send('mint', { burnOrderId: dueBurn.parse(item).orderId });
    if (sk.startsWith('NONCE#')) return await send('mint', dueNonce.parse(item));
  } catch (error) {
    log.error('Due item failed', error, { item: pk });
  }
}

/** How long a cancelled event stays due: the index may not list an order yet that was created just before. */
const settlingMilliseconds = 5 * 60_000;

async function sweepCancelledEvent(event: Event, dueAt: string, deadline: number): Promise<void> {
  const isSettled = Date.now() > Date.parse(dueAt) + settlingMilliseconds;
  if ((await cancelEventOrders(event, deadline)) && isSettled) await clearCancellationDue(event.id);
}
