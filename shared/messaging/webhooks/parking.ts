import * as z from 'zod';
import { keys, partitions } from '../../dynamo/keys.ts';
import { type Item, queryAll } from '../../dynamo/read.ts';
import { update, write } from '../../dynamo/write.ts';
import { findEndpoint, ignoreNotDue, NotDue } from './store.ts';
import type { WebhookEndpoint } from './webhook.ts';

/** That deliveries may wait for an endpoint that was paused or slow. */
const parking = z.object({
  organizerId: z.string(),
  endpointId: z.string(),
  /** Until when deliveries may be parked, as known when this was written; ISO 8601 in UTC. */
  until: z.string(),
});

export const isParking = ({ sk }: Item): boolean => String(sk).startsWith('PARKING#');

/** Longer than a worker that found the endpoint paused still parks its delivery, and than the index needs to show it. */
const settlingMilliseconds = 5 * 60_000;

/**
 * Reads deliveries that wait for an endpoint that was paused or slow, in the order of parking: only some, so that however many
 * wait, they keep the sweep from no other work.
 * @param item its parking, which is due
 */
export async function* readParked(item: Item, now: number): AsyncGenerator<Item> {
  const { organizerId, endpointId, until } = parking.parse(item);
  const endpoint = await findEndpoint(organizerId, endpointId);
  const isAt = (time: string | undefined) => time !== undefined && Date.parse(time) > now;
  if (isAt(endpoint?.pausedUntil)) return;
  const maximum = maximumRead(endpoint, isAt(endpoint?.slowUntil));
  const partition = partitions.parkedDeliveries(endpointId);
  const source = { index: 'byDue', partition, ascending: true } as const;
  let count = 0;
  for await (const delivery of queryAll(source, Math.min(maximum, 100))) {
    if (++count > maximum) return;
    yield delivery;
  }
  const times = [until, endpoint?.pausedUntil, endpoint?.slowUntil].map((time) => Date.parse(time ?? until));
  if (count === 0 && Math.max(...times) + settlingMilliseconds < now) {
    await endParking(organizerId, endpointId, until);
  }
}

/** Returns how many deliveries one sweep reads. Those of an endpoint that is disabled or gone end without an attempt. */
function maximumRead(endpoint: WebhookEndpoint | undefined, isSlow: boolean): number {
  if (endpoint?.status !== 'enabled') return 300;
  if (endpoint.failures > 0) return 10;
  return isSlow ? 60 : 300;
}

/** Ends the parking, unless the endpoint was paused, or slow, again. */
async function endParking(organizerId: string, endpointId: string, until: string): Promise<void> {
  const whenUnchanged = { when: '#until = :until', values: { until }, orThrow: () => new NotDue() };
  const set = { duePk: undefined, dueAt: undefined };
  await write(update(keys.parking(organizerId, endpointId), { set }, whenUnchanged)).catch(ignoreNotDue);
}
