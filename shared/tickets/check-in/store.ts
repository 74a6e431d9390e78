import { conflict } from '../../core/errors.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/query.ts';
import { put, type Write } from '../../dynamo/write.ts';
import type { Seat } from './rules.ts';

/** A seat that was let in. */
export interface CheckIn extends Seat {
  checkedInAt: string;
  /** Who let it in. */
  checkedInBy: string;
}

/** Lets a seat in, once: refused for a seat that is in, with when that was. */
export function insertCheckIn(checkIn: CheckIn): Write {
  return put(
    { ...keys.checkIn(checkIn.orderId, checkIn.number), ...checkIn },
    {
      when: 'attribute_not_exists(#pk)',
      refused: (first) => conflict('already-checked-in', `Checked in already at ${first?.checkedInAt}`),
    },
  );
}

/** When an order's seats were let in, by their numbers. */
export async function readCheckIns(orderId: string): Promise<Map<number, string>> {
  const times = new Map<number, string>();
  for await (const { number, checkedInAt } of queryAll({ partition: keys.checkIn(orderId, 1).pk })) {
    times.set(number, checkedInAt);
  }
  return times;
}

/** When each of these seats was let in, in their order; undefined for who is still outside. */
export async function findCheckIns(seats: readonly Seat[]): Promise<(string | undefined)[]> {
  const items = await getItems(seats.map(({ orderId, number }) => keys.checkIn(orderId, number)));
  return items.map((item) => item?.checkedInAt);
}
