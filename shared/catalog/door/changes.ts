import * as z from 'zod';
import { doorChangePartitions, keys } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/read.ts';
import { put, type Write } from '../../dynamo/write.ts';
import { type Event, endOf } from '../events/event.ts';

/**
 * What changed about the seats of an event, for the devices at its door: sold, transferred, refunded, admitted. A change
 * only names seats, whose state is then read. Changes are recorded in the days around the event.
 */
const doorChange = z.object({
  orderIds: z.array(z.string()),
  /** The seat of the only order; absent for all seats. */
  number: z.number().optional(),
});
export type DoorChange = z.infer<typeof doorChange>;

const dayMilliseconds = 24 * 60 * 60 * 1000;
/** How long before the event's start changes are recorded, and how long after its end, in milliseconds. */
const recordedBefore = 3 * dayMilliseconds;
const recordedAfter = 2 * dayMilliseconds;

/**
 * How long before a request its changes may have been written with an earlier time, in milliseconds: the longest attempt to
 * write, and clocks that differ.
 */
const overlapMilliseconds = 20_000;

/** Returns the write that records a change, for its transaction; none outside the days around the event. */
export function recordDoorChange(event: Event, change: DoorChange, at: string): Write[] {
  const [orderId = ''] = change.orderIds;
  const end = endOf(event) + recordedAfter;
  const isRecorded = Date.parse(at) >= recordedFrom(event) && Date.parse(at) <= end;
  if (!isRecorded || orderId === '') return [];
  const ttl = Math.floor((end + dayMilliseconds) / 1000);
  return [put({ ...keys.doorChange(event.id, { orderId, number: change.number, at }), ...change, ttl })];
}

/** As many changes as a busy door has in some minutes. */
const maximumChanges = 2_000;

const recordedFrom = ({ eventDate }: Event) => Date.parse(eventDate) - recordedBefore;

/**
 * Reads the changes of an event's seats since a time, strongly consistent; some may have been read before.
 * @param since epoch milliseconds
 * @returns undefined when changes were not recorded then, before the days around the event, and when they are more than
 * `maximumChanges`: then the seats themselves are read faster
 */
export async function readDoorChanges(event: Event, since: number): Promise<DoorChange[] | undefined> {
  const from = since - overlapMilliseconds;
  if (from < recordedFrom(event)) return undefined;
  const changes: DoorChange[] = [];
  for (const partition of doorChangePartitions(event.id)) {
    const source = { partition, from: new Date(from).toISOString(), ascending: true };
    for await (const item of queryAll(source, 1000)) {
      if (changes.length === maximumChanges) return undefined;
      changes.push(doorChange.parse(item));
    }
  }
  return changes;
}
