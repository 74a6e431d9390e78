import * as z from 'zod';
import { keys, partitions } from '../../dynamo/keys.ts';
import { type Item, queryAll } from '../../dynamo/read.ts';
import { update, write } from '../../dynamo/write.ts';
import { findEndpoint, ignoreNotDue, NotDue } from './store.ts';

/** That deliveries may wait for an endpoint that was paused. */
const parking = z.object({
  organizerId: z.string(),
  endpointId: z.string(),
  /** ISO 8601 in UTC. */
  pausedUntil: z.string(),
});

export const isParking = ({ sk }: Item): boolean => String(sk).startsWith('PARKING#');

/** The deliveries that one sweep reads for an endpoint that works, or is gone, and for one that has failed last. */
const readsPerSweep = { working: 300, failing: 10 };

/** Longer than a worker that found the endpoint paused still parks its delivery, and than the index needs to show it. */
const settlingMilliseconds = 5 * 60_000;

/**
 * Reads deliveries that wait for an endpoint that was paused, oldest first: only a few while it fails, so that however
 * many wait, they keep the sweep from no other work.
 * @param item its parking, which is due
 */
export async function* readParked(item: Item, now: number): AsyncGenerator<Item> {
  const { organizerId, endpointId, pausedUntil } = parking.parse(item);
  if (Date.parse(pausedUntil) > now) return;
  const endpoint = await findEndpoint(organizerId, endpointId);
  const isFailing = endpoint?.status === 'enabled' && endpoint.failures > 0;
  const maximum = isFailing ? readsPerSweep.failing : readsPerSweep.working;
  const source = {
    index: 'byDue',
    partition: partitions.parkedDeliveries(endpointId),
    ascending: true,
  } as const;
  let count = 0;
  for await (const delivery of queryAll(source, Math.min(maximum, 100))) {
    if (++count > maximum) return;
    yield delivery;
  }
  if (count === 0 && Date.parse(pausedUntil) + settlingMilliseconds < now) {
    await endParking(organizerId, endpointId, pausedUntil);
  }
}

/** Ends the parking, unless the endpoint was paused again. */
async function endParking(organizerId: string, endpointId: string, pausedUntil: string): Promise<void> {
  const whenUnchanged = {
    when: '#pausedUntil = :pausedUntil',
    values: { pausedUntil },
    orThrow: () => new NotDue(),
  };
  const set = { duePk: undefined, dueAt: undefined };
  await write(update(keys.parking(organizerId, endpointId), { set }, whenUnchanged)).catch(ignoreNotDue);
}
