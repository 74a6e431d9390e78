import { absent, type Expected, expectUnchanged } from '../../core/state-machine.ts';
import type { Item } from '../../dynamo/client.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/query.ts';
import { toCondition, update, type Write } from '../../dynamo/write.ts';
import { ticketId } from '../ticket.ts';
import {
  type Admission,
  type Attendee,
  type Offer,
  type Seat,
  type SeatReference,
  seatOrInitial,
  toSeat,
} from './seat.ts';

/** The seat was admitted or transferred since it was read. */
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
 * Returns the write that admits a seat of an event, once.
 * @param seat the seat, and the epoch of the scanned check-in code
 * @throws SeatChanged from the write, when the seat was admitted, or transferred after the code was issued
 */
export function admitSeat(
  seat: SeatReference & { epoch: number },
  eventId: string,
  admission: Admission,
): Write {
  const { sk } = keys.seat(seat.orderId, seat.number);
  const eventSk = `${admission.checkedInAt}#${seat.orderId}#${sk}`;
  return changeSeat(seat, { ...admission, eventPk: partitions.eventCheckIns(eventId), eventSk });
}

/**
 * Returns the write that stores the attendee of a seat.
 * @throws SeatChanged from the write, when the seat was admitted or transferred since it was read
 */
export function setAttendee(seat: Seat, attendee: Attendee): Write {
  return changeSeat(seat, { attendee });
}

/**
 * Returns the write that changes the offer of a seat.
 * @throws SeatChanged from the write, when the seat was admitted or transferred, or its offer changed, since it was read
 */
export function changeOffer(seat: Seat, offer: Offer): Write {
  return changeSeat(seat, { offer }, expectUnchanged(seat, 'offer'));
}

/**
 * Returns the write that transfers a seat to another holder and increments its epoch, so that earlier codes are no
 * longer valid. The index `byOwner` then lists the seat for the new holder.
 * @throws SeatChanged from the write, when the seat was admitted or transferred, or its offer changed, since it was read
 */
export function moveSeat(
  seat: Seat,
  { userId: buyerUserId, eventId }: { userId: string; eventId: string },
  change: Required<Pick<Seat, 'holderUserId' | 'attendee'>> & Pick<Seat, 'offer' | 'wallet' | 'claimedFrom'>,
): Write {
  const returnsToBuyer = change.holderUserId === buyerUserId;
  return changeSeat(
    seat,
    {
      ...change,
      epoch: seat.epoch + 1,
      eventId,
      buyerUserId,
      // The buyer finds the seat by the order.
      ownerPk: returnsToBuyer ? undefined : partitions.userSeats(change.holderUserId),
      ownerSk: returnsToBuyer ? undefined : ticketId(seat.orderId, seat.number),
    },
    expectUnchanged(seat, 'offer'),
  );
}

/** Reads all seats of others' orders that a user holds. Those of the newest order come first. */
export async function* queryReceivedSeats(userId: string): AsyncGenerator<Seat> {
  const source = { index: 'byOwner', partition: partitions.userSeats(userId) } as const;
  for await (const item of queryAll(source)) yield toSeat(item);
}

/**
 * Returns the write that removes the personal data of a seat: its attendee and its last offer. The seat may have been
 * admitted.
 * @throws SeatChanged from the write, when the seat was transferred since it was read: then the data belong to its new
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

/**
 * Returns the write that changes a seat.
 * @throws SeatChanged from the write, when the seat was admitted or transferred since it was read
 */
function changeSeat(
  { orderId, number, epoch }: SeatReference & { epoch: number },
  set: Partial<Seat> & Partial<Record<'ownerPk' | 'ownerSk' | 'eventPk' | 'eventSk', string | undefined>>,
  expected: Expected<Seat> = {},
): Write {
  // A seat that was never transferred has no stored epoch.
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
