import { conflict } from '../../core/errors.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/query.ts';
import { put, type Write } from '../../dynamo/write.ts';
import type { Seat } from './code.ts';

/** The admission of a seat. */
export interface CheckIn extends Seat {
  checkedInAt: string;
  /** The id of the user who scanned it. */
  checkedInBy: string;
}

/** The write that admits a seat, once. @throws DomainError 409 with the time of an earlier admission */
export function insertCheckIn(checkIn: CheckIn): Write {
  return put(
    { ...keys.checkIn(checkIn.orderId, checkIn.number), ...checkIn },
    {
      when: 'attribute_not_exists(#pk)',
      refused: (first) => conflict('already-checked-in', `Checked in already at ${first?.checkedInAt}`),
    },
  );
}

/** Reads when an order's seats were admitted, by their numbers. */
export async function readCheckIns(orderId: string): Promise<Map<number, string>> {
  const times = new Map<number, string>();
  for await (const { number, checkedInAt } of queryAll({ partition: keys.checkIn(orderId, 1).pk })) {
    times.set(number, checkedInAt);
  }
  return times;
}

/** Reads when each of these seats was admitted, in their order; undefined for one that was not. */
export async function findCheckIns(seats: readonly Seat[]): Promise<(string | undefined)[]> {
  const items = await getItems(seats.map(({ orderId, number }) => keys.checkIn(orderId, number)));
  return items.map((item) => item?.checkedInAt);
}
