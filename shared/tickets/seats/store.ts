import * as z from 'zod';
import { absent, type Expected, expectUnchanged } from '../../core/state-machine.ts';
import { admissionShards, keys, partitions } from '../../dynamo/keys.ts';
import {
  getItems,
  type Item,
  type PageQuery,
  queryAll,
  queryPage,
  signCursor,
  verifyCursor,
} from '../../dynamo/read.ts';
import { toCondition, update, type Write } from '../../dynamo/write.ts';
import {
  type Admission,
  type Attendee,
  type Offer,
  type Seat,
  type SeatReference,
  seatOrInitial,
  ticketId,
  ticketIdPrefix,
  toSeat,
} from '../ticket.ts';

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
 * Admits a seat of an event for the first time.
 * @param seat the seat, and its number of transfers in the scanned check-in code
 * @throws SeatChanged from the write, when the seat was admitted, or transferred after the code was issued
 */
export function admitSeat(
  seat: SeatReference & { transfers: number },
  eventId: string,
  admission: Admission & Pick<Seat, 'lists'>,
): Write {
  return changeSeat(seat, { ...admission, ...listedAs(seat, eventId, admission.checkedInAt) });
}

/**
 * Changes by which lists a seat was admitted, after its first admission.
 * @throws SeatChanged from the write, when the seat changed since it was read
 */
export function changeLists(seat: Seat, eventId: string, lists: Seat['lists']): Write {
  const newest = Math.max(...Object.values(lists ?? {}).map(({ checkedInAt }) => Date.parse(checkedInAt)));
  return changeSeat(
    seat,
    { lists, ...listedAs(seat, eventId, new Date(newest).toISOString()) },
    expectUnchanged(seat, 'checkedInAt', 'lists'),
  );
}

/** Returns the index attributes that list an admitted seat. */
function listedAs({ orderId, number }: SeatReference, eventId: string, at: string) {
  const { sk } = keys.seat(orderId, number);
  return { eventPk: partitions.eventCheckIns(eventId), eventSk: `${at}#${orderId}#${sk}` };
}

/**
 * Removes the admission of a seat.
 * @throws SeatChanged from the write, when the admission was undone, or the seat admitted again, since it was read
 */
export function removeAdmission(seat: Seat): Write {
  return changeSeat(
    seat,
    {
      checkedInAt: undefined,
      checkedInBy: undefined,
      scanId: undefined,
      deviceId: undefined,
      chainChecked: undefined,
      lists: undefined,
      eventPk: undefined,
      eventSk: undefined,
    },
    expectUnchanged(seat, 'checkedInAt', 'lists'),
  );
}

/**
 * Stores the attendee of a seat.
 * @throws SeatChanged from the write, when the seat was admitted or transferred since it was read
 */
export function setAttendee(seat: Seat, attendee: Attendee): Write {
  return changeSeat(seat, { attendee });
}

/**
 * Changes the offer of a seat.
 * @throws SeatChanged from the write, when the seat was admitted or transferred, or its offer changed, since it was
 * read
 */
export function changeOffer(seat: Seat, offer: Offer): Write {
  return changeSeat(seat, { offer }, expectUnchanged(seat, 'offer'));
}

/**
 * Transfers a seat to another holder and counts the transfer, so earlier codes are no longer valid. The index `byOwner`
 * then lists the seat for the new holder.
 * @throws SeatChanged from the write, when the seat was admitted or transferred, or its offer changed, since it was
 * read
 */
export function moveSeat(
  seat: Seat,
  { userId: buyerUserId, eventId }: { userId: string; eventId: string },
  change: Required<Pick<Seat, 'holderUserId' | 'attendee'>> &
    Pick<Seat, 'offer' | 'wallet' | 'claimedFrom'> & { holderSessionVersion: number | undefined },
): Write {
  const returnsToBuyer = change.holderUserId === buyerUserId;
  return changeSeat(
    seat,
    {
      ...change,
      transfers: seat.transfers + 1,
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
 * Removes the personal data of a seat: its attendee and its last offer. The seat may have been
 * admitted.
 * @throws SeatChanged from the write, when the seat was transferred since it was read: then the data belong to its new
 * holder
 */
export function eraseAttendee({ orderId, number, transfers }: Seat): Write {
  return update(
    keys.seat(orderId, number),
    { set: { attendee: undefined, offer: undefined } },
    {
      ...toCondition<Seat>([], { transfers: transfers === 0 ? absent : transfers }),
      orThrow: (current: Item | undefined) => new SeatChanged(seatOrInitial({ orderId, number }, current)),
    },
  );
}

/**
 * Changes a seat.
 * @throws SeatChanged from the write, when the seat was admitted or transferred since it was read
 */
function changeSeat(
  { orderId, number, transfers }: SeatReference & { transfers: number },
  set: Partial<Seat> & Partial<Record<'ownerPk' | 'ownerSk' | 'eventPk' | 'eventSk', string | undefined>>,
  expected: Expected<Seat> = {},
): Write {
  // A seat that was never transferred has no stored number.
  const condition = toCondition<Seat>([], {
    checkedInAt: absent,
    transfers: transfers === 0 ? absent : transfers,
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

const counter = z.object({ admitted: z.number() });

/**
 * Counts an admission at an event. Write it in the transaction that admits the seat.
 * @param count -1 to undo it
 */
export function countAdmission(eventId: string, count: 1 | -1 = 1): Write {
  const shard = Math.floor(Math.random() * admissionShards);
  return update(keys.admitted(eventId, shard), { add: { admitted: count } });
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

/** A seat or ticket that a page may list. Its id is a ticket id; the ids sort by order and number. */
export interface Candidate {
  id: string;
}

/** The ids of a page's candidates: the first is included, the last excluded. */
export interface IdRange {
  from: string;
  to: string;
}

/** About how many candidates one request examines before it returns a cursor. */
const maximumCandidates = 500;

interface PageSource<Bought extends Candidate, Entry> {
  /** The user records of one person, the first is the account. */
  userIds: readonly [string, ...string[]];
  query: PageQuery & { orderId?: string | undefined };
  /** Lists the candidates that a user bought, newest first. */
  listBought: (userId: string, range: IdRange, pageSize: number) => AsyncGenerator<Bought>;
  /** Returns the entry of each candidate; undefined for one that is not shown. */
  toEntries: (candidates: (Bought | ReceivedSeat)[]) => Promise<(Entry | undefined)[]>;
}

/** A seat of somebody else's order that the user holds. */
export interface ReceivedSeat extends Candidate {
  received: Seat & { buyerUserId: string; eventId: string };
}

/**
 * Lists a page of the seats that a user bought or received. The newest order comes first.
 * @param listName separates the cursors of this list from those of the user's other lists
 * @throws DomainError 400 for a cursor of another list
 */
export async function listByHolder<Bought extends Candidate, Entry>(
  listName: string,
  { userIds, query: { limit, cursor, orderId }, listBought, toEntries }: PageSource<Bought, Entry>,
): Promise<{ entries: Entry[]; nextCursor: string | null }> {
  const cursorScope = { partition: partitions.userSeats(userIds[0]), prefix: `${listName} ${orderId ?? ''}` };
  const { at: position } = cursor === undefined ? {} : await verifyCursor(cursorScope, cursor);
  const idPrefix = orderId === undefined ? '' : ticketIdPrefix(orderId);
  // A space sorts before all ids, `~` after them.
  const range = { from: idPrefix || ' ', to: position ?? `${idPrefix}~` };
  const candidates = userIds
    .map((userId) =>
      mergeNewestFirst<Bought, ReceivedSeat>(
        listBought(userId, range, limit + 1),
        listReceivedSeats(userId, range, limit + 1),
      ),
    )
    .reduce((left, right) => mergeNewestFirst(left, right));

  const entries: Entry[] = [];
  let next = await candidates.next();
  let lastCandidate: Candidate | undefined;
  for (let examinedCount = 0; !next.done && entries.length < limit && examinedCount < maximumCandidates; ) {
    const batch: (Bought | ReceivedSeat)[] = [];
    for (; !next.done && batch.length < limit - entries.length; next = await candidates.next()) {
      batch.push(next.value);
    }
    lastCandidate = batch.at(-1);
    examinedCount += batch.length;
    entries.push(...(await toEntries(batch)).filter((entry) => entry !== undefined));
  }
  return {
    entries,
    nextCursor: next.done || !lastCandidate ? null : await signCursor(cursorScope, { at: lastCandidate.id }),
  };
}

/** Lists the seats of others' orders that a user holds, newest first. */
async function* listReceivedSeats(
  userId: string,
  { from, to }: IdRange,
  pageSize: number,
): AsyncGenerator<ReceivedSeat> {
  const source = { index: 'byOwner', partition: partitions.userSeats(userId), from, to } as const;
  for await (const item of queryAll(source, pageSize)) {
    const { holderUserId, buyerUserId, eventId, ...seat } = toSeat(item);
    // The index is eventually consistent: it may still list a seat that was transferred. The query includes `to`.
    if (holderUserId !== userId || !buyerUserId || !eventId || String(item.ownerSk) >= to) continue;
    yield { id: String(item.ownerSk), received: { ...seat, holderUserId, buyerUserId, eventId } };
  }
}

async function* mergeNewestFirst<A extends Candidate, B extends Candidate>(
  left: AsyncGenerator<A>,
  right: AsyncGenerator<B>,
): AsyncGenerator<A | B> {
  let [nextLeft, nextRight] = await Promise.all([left.next(), right.next()]);
  while (!nextLeft.done || !nextRight.done) {
    if (!nextLeft.done && (nextRight.done || nextLeft.value.id > nextRight.value.id)) {
      yield nextLeft.value;
      nextLeft = await left.next();
    } else if (!nextRight.done) {
      yield nextRight.value;
      nextRight = await right.next();
    }
  }
}
