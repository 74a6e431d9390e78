import { absent, type Expected, expectUnchanged } from '../../core/state-machine.ts';
import type { Item } from '../../dynamo/client.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/query.ts';
import { toCondition } from '../../dynamo/transition.ts';
import { update, type Write } from '../../dynamo/write.ts';
import { ticketId } from '../ticket.ts';
import { type Attendee, type Offer, type Seat, type SeatReference, seatOrInitial, toSeat } from './seat.ts';

/** The seat was admitted, or has changed hands, since it was read. */
export class SeatChanged extends Error {
  /** The current seat. */
  readonly current: Seat;
  constructor(current: Seat) {
    super(`Seat ${current.number} of order ${current.orderId} has changed`);
    this.current = current;
  }
}

/** Reads the stored seats of an order, by their numbers. Seats that never changed are not stored. */
export async function readSeatsOf(orderId: string): Promise<Map<number, Seat>> {
  const seats = new Map<number, Seat>();
  for await (const item of queryAll({ partition: keys.seat(orderId, 1).pk })) {
    const seat = toSeat(item);
    seats.set(seat.number, seat);
  }
  return seats;
}

/**
 * Returns the write that admits a seat of an event, once, at the epoch of the code.
 * @throws SeatChanged from the transaction
 */
export function admitSeat(
  seat: SeatReference & { epoch: number },
  eventId: string,
  admission: { checkedInAt: string; checkedInBy: string; scanId?: string },
): Write {
  const { sk } = keys.seat(seat.orderId, seat.number);
  const eventSk = `${admission.checkedInAt}#${seat.orderId}#${sk}`;
  return changeSeat(seat, { ...admission, eventPk: partitions.eventCheckIns(eventId), eventSk });
}

/** Stores the attendee of a seat. @throws SeatChanged from the write */
export function nameSeat(seat: Seat, attendee: Attendee): Write {
  return changeSeat(seat, { attendee });
}

/**
 * Changes the offer of a seat, unless the offer has changed since the seat was read. @throws SeatChanged from the write
 */
export function changeOffer(seat: Seat, offer: Offer): Write {
  return changeSeat(seat, { offer }, expectUnchanged(seat, 'offer'));
}

/**
 * Transfers a seat to another holder, at its next epoch: earlier codes are no longer valid. The new holder's list
 * contains it.
 * @throws SeatChanged from the transaction, when it was admitted, moved or offered to somebody else since it was read
 */
export function moveSeat(
  seat: Seat,
  { userId: buyerUserId, eventId }: { userId: string; eventId: string },
  change: Required<Pick<Seat, 'holderUserId' | 'attendee'>> & Pick<Seat, 'offer' | 'wallet' | 'claimedFrom'>,
): Write {
  const isBack = change.holderUserId === buyerUserId;
  return changeSeat(
    seat,
    {
      ...change,
      epoch: seat.epoch + 1,
      eventId,
      buyerUserId,
      // The buyer finds the seat by the order.
      ownerPk: isBack ? undefined : partitions.userSeats(change.holderUserId),
      ownerSk: isBack ? undefined : ticketId(seat.orderId, seat.number),
    },
    expectUnchanged(seat, 'offer'),
  );
}

/** Reads all seats of others' orders that a user holds, the newest order's first. */
export async function* receivedSeatsOf(userId: string): AsyncGenerator<Seat> {
  const source = { index: 'byOwner', partition: partitions.userSeats(userId) } as const;
  for await (const item of queryAll(source)) yield toSeat(item);
}

/**
 * Removes the names and addresses of a seat: its attendee's, and those of its last offer. The seat may have been
 * admitted.
 * @throws SeatChanged from the write, when it has changed hands since it was read: then they are those of its new
 * holder
 */
export function eraseAttendee({ orderId, number, epoch }: Seat): Write {
  return update(
    keys.seat(orderId, number),
    { set: { attendee: undefined, offer: undefined } },
    {
      ...toCondition<Seat>([], { epoch: epoch === 0 ? absent : epoch }),
      orThrow: (current: Item | undefined) => new SeatChanged(seatOrInitial({ orderId, number }, current)),
    },
  );
}

/** Changes a seat that was not admitted and has not changed hands. @throws SeatChanged from the write */
function changeSeat(
  { orderId, number, epoch }: SeatReference & { epoch: number },
  set: Partial<Seat> & Partial<Record<'ownerPk' | 'ownerSk' | 'eventPk' | 'eventSk', string | undefined>>,
  expected: Expected<Seat> = {},
): Write {
  // A seat that has not changed hands has no stored epoch.
  const condition = toCondition<Seat>([], {
    checkedInAt: absent,
    epoch: epoch === 0 ? absent : epoch,
    ...expected,
  });
  return update(
    keys.seat(orderId, number),
    { set: { orderId, number, ...set } },
    {
      ...condition,
      orThrow: (current: Item | undefined) => new SeatChanged(seatOrInitial({ orderId, number }, current)),
    },
  );
}
