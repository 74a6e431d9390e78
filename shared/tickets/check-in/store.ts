import * as z from 'zod';
import { getItems } from '../../dynamo/client.ts';
import { admissionShards, keys, partitions } from '../../dynamo/keys.ts';
import { queryPage } from '../../dynamo/query.ts';
import { update, type Write } from '../../dynamo/write.ts';
import { type Seat, toSeat } from '../seats/seat.ts';

const counter = z.object({ admitted: z.number() });

/** Returns the write that counts an admission at an event. Write it in the transaction that admits the seat. */
export function countAdmission(eventId: string): Write {
  const shard = Math.floor(Math.random() * admissionShards);
  return update(keys.admitted(eventId, shard), { add: { admitted: 1 } });
}

/** Returns the number of an event's admissions by a strongly consistent read. */
export async function readAdmissionCount(eventId: string): Promise<number> {
  const shardKeys = Array.from({ length: admissionShards }, (_, shard) => keys.admitted(eventId, shard));
  const items = await getItems(shardKeys);
  return items.reduce((sum, item) => sum + (item ? counter.parse(item).admitted : 0), 0);
}

/**
 * Lists the seats that were admitted last, newest first. The index is eventually consistent: an admission may be
 * missing for a second.
 */
export async function findRecentlyAdmitted(eventId: string, limit: number): Promise<Seat[]> {
  const source = { index: 'byEvent', partition: partitions.eventCheckIns(eventId) } as const;
  return (await queryPage(source, { limit })).items.map(toSeat);
}
