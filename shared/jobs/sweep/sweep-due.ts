import { gatewayNames } from '../../core/schemas.ts';
import { bulkKinds, dueShards, partitions } from '../../dynamo/keys.ts';
import { type Item, queryAll } from '../../dynamo/read.ts';
import { isParking, readParked } from '../../messaging/webhooks/parking.ts';
import { findOpenBreakers } from '../../payments/breaker.ts';
import type { Messages } from '../../runtime/messages.ts';
import { sendMessages } from '../../runtime/queue.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { type DueWork, lookAheadMilliseconds, toDueWork } from './due-work.ts';
import { chooseDueWork } from './quotas.ts';

/** The number of messages in one request. */
const batchSize = 10;
/** The number of concurrent requests. */
const concurrency = 16;

/**
 * Queues due work for the workers: holds that end before the next sweep, unsent messages, payments and mints to check,
 * refunds, payouts, and jobs over an event's orders. Each kind of work has a quota, in which the owners of the work
 * take turns (quotas.ts). A sweep claims an item before it queues it, by postponing the due time, so no other
 * sweep queues the same item. When the message is lost, the item is due again later. A part of the index that can't be read
 * does not keep the rest from being queued. Mails, webhooks and checks of contracts are read last: an organizer can have more of
 * them wait than a sweep reads.
 * @param deadline when to stop and leave the rest to the next sweep (epoch milliseconds)
 * @returns the number of queued items of each kind
 * @throws Error when a part of the index could not be read, after the rest was queued
 */
export async function sweep(deadline: number): Promise<Record<string, number>> {
  const now = Date.now();
  const openBreakers = await findOpenBreakers(gatewayNames);
  // The second half of the time is reserved for queueing.
  const readUntil = now + (deadline - now) / 2;
  const dueWork: DueWork[] = [];
  const shards = Array.from({ length: dueShards }, (_, shard) => shard);
  const readAll = (names: readonly string[]) =>
    Promise.allSettled(
      names.map(async (name) => {
        for await (const work of readPartition(name, now, openBreakers, readUntil)) dueWork.push(work);
      }),
    );
  const bulk = bulkKinds.flatMap((kind) => shards.map((shard) => partitions.dueBulk(kind, shard)));
  const reads = [...(await readAll(shards.map(partitions.due))), ...(await readAll(bulk))];
  const chosenWork = chooseDueWork(dueWork);
  const queuedByKind: Record<string, number> = {};
  const batches = chunks(chosenWork, batchSize);
  const queueBatches = async () => {
    for (const batch of batches) {
      if (Date.now() > deadline) return;
      for (const { kind } of await enqueue(batch)) queuedByKind[kind] = (queuedByKind[kind] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, queueBatches));
  // These messages were sent before, and are lost or late, except the first message of a refund's burn.
  const resentCount = (queuedByKind.fulfil ?? 0) + (queuedByKind.mint ?? 0);
  if (resentCount > 0) incrementCounter('OutboxResent', resentCount);
  log.info('Due work queued', queuedByKind);
  const failedRead = reads.find((read) => read.status === 'rejected');
  if (failedRead) throw failedRead.reason;
  return queuedByKind;
}

async function* readPartition(
  partition: string,
  now: number,
  openBreakers: ReadonlySet<string>,
  readUntil: number,
): AsyncGenerator<DueWork> {
  const to = new Date(now + lookAheadMilliseconds).toISOString();
  const source = { index: 'byDue', partition, to, ascending: true } as const;
  for await (const item of queryAll(source)) {
    if (Date.now() > readUntil) return;
    for await (const dueItem of isParking(item) ? readParked(item, now) : [item]) {
      const work = parseDueItem(dueItem, now, openBreakers);
      if (work) yield work;
    }
  }
}

function parseDueItem(item: Item, now: number, openBreakers: ReadonlySet<string>): DueWork | undefined {
  try {
    return toDueWork(item, now, openBreakers);
  } catch (error) {
    log.error('Due item is invalid', error, { item: String(item.pk) });
    return undefined;
  }
}

/** Claims and queues items. @returns the items that were queued */
async function enqueue(batch: readonly DueWork[]): Promise<DueWork[]> {
  const claimResults = await Promise.all(batch.map((work) => claim(work)));
  const claimedWork = batch.filter((_, index) => claimResults[index]);
  const byQueue = Map.groupBy(claimedWork, ({ message }) => message.queue);
  const sentWork = [...byQueue].map(async ([queue, workOfQueue]) => {
    const messages = workOfQueue.map(({ message, tenant, delaySeconds }) => ({
      message: message.body as Messages[typeof queue],
      tenant,
      delaySeconds,
    }));
    try {
      await sendMessages(queue, messages);
      return workOfQueue;
    } catch (error) {
      log.error('Due work could not be queued', error, { queue, items: workOfQueue.length });
      return [];
    }
  });
  return (await Promise.all(sentWork)).flat();
}

async function claim(work: DueWork): Promise<boolean> {
  try {
    return await work.claim();
  } catch (error) {
    log.error('Due item could not be claimed', error, work.message.body);
    return false;
  }
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
