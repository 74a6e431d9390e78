import { partitions } from '../../dynamo/keys.ts';
import { type PageQuery, queryAll, signCursor, verifyCursor } from '../../dynamo/query.ts';
import { ticketIdPrefix } from '../ticket.ts';
import { type Seat, toSeat } from './seat.ts';

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
  userId: string;
  query: PageQuery & { orderId?: string | undefined };
  /** Lists the candidates that the user bought, newest first. */
  listBought: (range: IdRange, pageSize: number) => AsyncGenerator<Bought>;
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
  { userId, query: { limit, cursor, orderId }, listBought, toEntries }: PageSource<Bought, Entry>,
): Promise<{ entries: Entry[]; nextCursor: string | null }> {
  const cursorScope = { partition: partitions.userSeats(userId), prefix: `${listName} ${orderId ?? ''}` };
  const { at: position } = cursor === undefined ? {} : await verifyCursor(cursorScope, cursor);
  const idPrefix = orderId === undefined ? '' : ticketIdPrefix(orderId);
  // A space sorts before all ids, `~` after them.
  const range = { from: idPrefix || ' ', to: position ?? `${idPrefix}~` };
  const candidates = mergeNewestFirst(
    listBought(range, limit + 1),
    listReceivedSeats(userId, range, limit + 1),
  );

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
