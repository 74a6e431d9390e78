import { absent, type Expected } from '../../core/state-machine.ts';
import { getItems, type Item } from '../../dynamo/client.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/query.ts';
import { conditionOf } from '../../dynamo/transition.ts';
import { update, type Write } from '../../dynamo/write.ts';
import { type Seat, type SeatReference, seatOf, toSeat } from './seat.ts';

/** The seat was admitted or has changed hands since it was read. */
export class SeatChanged extends Error {
  /** The seat as it stands. */
  readonly current: Seat;
  constructor(current: Seat) {
    super(`Seat ${current.number} of order ${current.orderId} has changed`);
    this.current = current;
  }
}

/** Reads seats, in the order of their references, as the last writes left them. */
export async function readSeats(references: readonly SeatReference[]): Promise<Seat[]> {
  const items = await getItems(references.map(({ orderId, number }) => keys.seat(orderId, number)));
  return references.map((reference, at) => seatOf(reference, items[at]));
}

/** Reads the seats of an order to which something has happened, by their numbers. */
export async function readSeatsOf(orderId: string): Promise<Map<number, Seat>> {
  const seats = new Map<number, Seat>();
  for await (const item of queryAll({ partition: keys.seat(orderId, 1).pk })) {
    const seat = toSeat(item);
    seats.set(seat.number, seat);
  }
  return seats;
}

/** The write that admits a seat of an event, once, at the epoch of the code. @throws SeatChanged from the transaction */
export function admitSeat(
  seat: SeatReference & { epoch: number },
  eventId: string,
  admission: { checkedInAt: string; checkedInBy: string },
): Write {
  const { sk } = keys.seat(seat.orderId, seat.number);
  const eventSk = `${admission.checkedInAt}#${seat.orderId}#${sk}`;
  return changeSeat(seat, { ...admission, eventPk: partitions.eventCheckIns(eventId), eventSk });
}

/** Changes a seat that was not admitted and has not changed hands. @throws SeatChanged from the transaction */
function changeSeat(
  { orderId, number, epoch }: SeatReference & { epoch: number },
  set: Partial<Seat> & { eventPk?: string; eventSk?: string },
  unchanged: Expected<Seat> = {},
): Write {
  // A seat that has not changed hands has no stored epoch.
  const condition = conditionOf<Seat>([], {
    checkedInAt: absent,
    epoch: epoch === 0 ? absent : epoch,
    ...unchanged,
  });
  return update(
    keys.seat(orderId, number),
    { set: { orderId, number, ...set } },
    {
      ...condition,
      refused: (current: Item | undefined) => new SeatChanged(seatOf({ orderId, number }, current)),
    },
  );
}
