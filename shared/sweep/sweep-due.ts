import type { Item } from '../dynamo/client.ts';
import { dueShards, partitions } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import { clearCancellationDue, toEvent } from '../events/store.ts';
import { cancelEventOrders } from '../orders/settlement/cancel-event-orders.ts';
import { toOrder } from '../orders/store.ts';
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
      await Promise.all(batch.map((due) => sweepItem(due, deadline)));
      batch = [];
    }
  }
  await Promise.all(batch.map((due) => sweepItem(due, deadline)));
}

async function sweepItem(item: Item, deadline: number): Promise<void> {
  // The index is eventually consistent: the item says whether it is still due.
  if (!item.dueAt || item.dueAt > new Date().toISOString()) return;
  try {
    if (item.sk === 'ORDER') return await sweepOrder(toOrder(item), item.dueAt);
    if (item.sk === 'EVENT') return await sweepCancelledEvent(item, deadline);
    if (item.sk === 'PAYOUT') return await send('payout', { payoutId: item.id });
    if (item.sk === 'BURN') return await send('mint', { burnOrderId: item.orderId });
    if (item.sk.startsWith('NONCE#')) {
      return await send('mint', { chainId: item.chainId, signer: item.signer, nonce: item.nonce });
    }
  } catch (error) {
    log.error('Due item failed', error, { item: item.pk });
  }
}

/** How long a cancelled event stays due: the index may not list an order yet that was created just before. */
const settlingMilliseconds = 5 * 60_000;

async function sweepCancelledEvent(item: Item, deadline: number): Promise<void> {
  const event = toEvent(item);
  const isSettled = Date.now() > Date.parse(item.dueAt) + settlingMilliseconds;
  if ((await cancelEventOrders(event, deadline)) && isSettled) await clearCancellationDue(event.id);
}
