import type { Item } from '../dynamo/client.ts';
import { dueShards, partitions } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import { clearCancellationDue, toEvent } from '../events/store.ts';
import { cancelEventOrders } from '../orders/settlement/cancel-event-orders.ts';
import { toOrder } from '../orders/store.ts';
import { log } from '../runtime/log.ts';
import { send } from '../runtime/queue.ts';
import { sweepOrder } from './sweep-order.ts';

/** How many due items of one partition are worked on side by side. */
const parallel = 10;

/**
 * Looks at all that is due: holds that ended, messages that were not sent, mint transactions to check, payouts
 * to send, events that were cancelled. One item that fails does not keep the others waiting; it stays due. Two sweeps at once
 * do no harm, since every step is conditional.
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
  // The index lags: the item itself says whether it is still due.
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

/** An order made just before the event was cancelled may not be listed yet: the event is looked at until it is. */
const settlingMilliseconds = 5 * 60_000;

async function sweepCancelledEvent(item: Item, deadline: number): Promise<void> {
  const event = toEvent(item);
  const isSettled = Date.now() > Date.parse(item.dueAt) + settlingMilliseconds;
  if ((await cancelEventOrders(event, deadline)) && isSettled) await clearCancellationDue(event.id);
}
