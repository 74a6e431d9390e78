import * as z from 'zod';
import { conflict } from '../../core/errors.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/query.ts';
import { put, type Write } from '../../dynamo/write.ts';
import type { Seat } from './code.ts';

/** The admission of a seat, as it is stored. */
const checkIn = z.object({
  orderId: z.string(),
  number: z.number(),
  checkedInAt: z.string(),
  /** The id of the user who scanned it. */
  checkedInBy: z.string(),
});
export type CheckIn = z.infer<typeof checkIn>;

/** The write that admits a seat, once. @throws DomainError 409 with the time of an earlier admission */
export function insertCheckIn(admitted: CheckIn): Write {
  return put(
    { ...keys.checkIn(admitted.orderId, admitted.number), ...admitted },
    {
      when: 'attribute_not_exists(#pk)',
      refused: (first) => conflict('already-checked-in', `Checked in already at ${first?.checkedInAt}`),
    },
  );
}

/** Reads when an order's seats were admitted, by their numbers. */
export async function readCheckIns(orderId: string): Promise<Map<number, string>> {
  const times = new Map<number, string>();
  for await (const item of queryAll({ partition: keys.checkIn(orderId, 1).pk })) {
    const { number, checkedInAt } = checkIn.parse(item);
    times.set(number, checkedInAt);
  }
  return times;
}

/** Reads when each of these seats was admitted, in their order; undefined for one that was not. */
export async function findCheckIns(seats: readonly Seat[]): Promise<(string | undefined)[]> {
  const items = await getItems(seats.map(({ orderId, number }) => keys.checkIn(orderId, number)));
  return items.map((item) => item && checkIn.parse(item).checkedInAt);
}
