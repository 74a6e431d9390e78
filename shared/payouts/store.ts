import { getItem, type Item } from '../dynamo/client.ts';
import { dueAt, keys, partitions } from '../dynamo/keys.ts';
import { type PageQuery, queryPage } from '../dynamo/query.ts';
import { put, update, type Write, write } from '../dynamo/write.ts';
import { type Payout, type PayoutMove, payoutMoves } from './payout.ts';

/** The payout is no longer as it was read; `current` is how it stands. */
export class PayoutMoved extends Error {
  readonly current: Payout;
  constructor(current: Payout) {
    super(`Payout ${current.id} is ${current.status}`);
    this.current = current;
  }
}

function toPayout(item: Item): Payout {
  const { pk, sk, ownerPk, ownerSk, duePk, ...payout } = item;
  return { ...payout, amount: BigInt(item.amount) } as Payout;
}

/** A new payout, listed for its organizer, and due at once. Refused with PayoutMoved when it is there already. */
export function insertPayout(payout: Payout): Write {
  return put(
    {
      ...keys.payout(payout.id),
      ...payout,
      ownerPk: partitions.organizerPayouts(payout.organizerId),
      ownerSk: payout.id,
      ...dueAt(payout.id, Date.parse(payout.createdAt)),
    },
    { when: 'attribute_not_exists(#pk)', refused: (current) => new PayoutMoved(toPayout(current as Item)) },
  );
}

/** As the last write left it; undefined when there is none, whatever text is asked for. */
export async function findPayout(id: string): Promise<Payout | undefined> {
  const item = /^c[0-9a-z]{24}$/.test(id) ? await getItem(keys.payout(id)) : undefined;
  return item && toPayout(item);
}

/** A page of an organizer's payouts, newest first. */
export async function listPayouts(organizerId: string, query: PageQuery) {
  const { items, nextCursor } = await queryPage(
    { index: 'byOwner', partition: partitions.organizerPayouts(organizerId) },
    query,
  );
  return { payouts: items.map(toPayout), nextCursor };
}

/**
 * A legal move of a payout, right only while nobody moved it since it was read.
 * @param due when to look at it again, epoch milliseconds; `never` when there is nothing left to do
 * @throws PayoutMoved, here or from the transaction
 */
export function movePayout(
  payout: Payout,
  move: PayoutMove,
  due: number | 'never',
  attempts?: number,
): Write {
  return changePayout(
    payout,
    { status: payoutMoves[move].to, ...(attempts !== undefined && { attempts }) },
    due,
  );
}

/** Leaves a payout in its state, to be looked at again. @returns the payout as it is then @throws PayoutMoved */
export function postponePayout(payout: Payout, due: number): Promise<Payout> {
  return applyMove(changePayout(payout, {}, due));
}

/** Does one move by itself. @returns the payout after it @throws PayoutMoved */
export async function applyMove(move: Write): Promise<Payout> {
  return toPayout((await write(move)) as Item);
}

function changePayout(payout: Payout, change: Partial<Payout>, due: number | 'never'): Write {
  const dueChange = due === 'never' ? { duePk: undefined, dueAt: undefined } : dueAt(payout.id, due);
  const set = { ...change, ...dueChange, updatedAt: new Date().toISOString() };
  const asRead = payout.dueAt ? '#dueAt = :dueAt' : 'attribute_not_exists(#dueAt)';
  return update(
    keys.payout(payout.id),
    { set },
    {
      when: `#status = :status AND ${asRead}`,
      values: { status: payout.status, ...(payout.dueAt && { dueAt: payout.dueAt }) },
      refused: (current) => new PayoutMoved(toPayout(current as Item)),
    },
  );
}
