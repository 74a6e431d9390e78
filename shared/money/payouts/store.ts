import { expectUnchanged, type Transition, TransitionRefused } from '../../core/state-machine.ts';
import { dueAttributes, keys, partitions } from '../../dynamo/keys.ts';
import { getItem, type PageQuery, queryAll, queryPage } from '../../dynamo/read.ts';
import { put, toCondition, update, type Write, write } from '../../dynamo/write.ts';
import { type Payout, toPayout } from './payout.ts';

/** A payout with this id is already stored. */
export class PayoutExists extends Error {
  readonly current: Payout;
  constructor(current: Payout) {
    super(`Payout ${current.id} exists`);
    this.current = current;
  }
}

/** The payout has changed since it was read, or its state does not allow the transition. */
export class PayoutTransitionRefused extends TransitionRefused<Payout> {}

/**
 * Inserts a payout, due at once, or once its bank account is no longer new. An index lists it for its organizer.
 * @throws PayoutExists from the write
 */
export function insertPayout(payout: Payout): Write {
  return put(
    {
      ...keys.payout(payout.id),
      ...payout,
      ownerPk: partitions.organizerPayouts(payout.organizerId),
      ownerSk: payout.id,
      ...dueAttributes(payout.id, Date.parse(payout.newAccountUntil ?? payout.createdAt)),
    },
    { when: 'attribute_not_exists(#pk)', orThrow: (current) => new PayoutExists(toPayout(current)) },
  );
}

/** Finds a payout by a strongly consistent read; undefined for an unknown or malformed id. */
export async function findPayout(id: string): Promise<Payout | undefined> {
  const item = await getItem(keys.payout(id));
  return item && toPayout(item);
}

/** Lists a page of an organizer's payouts, newest first. */
export async function listPayouts(organizerId: string, query: PageQuery) {
  const { items, nextCursor } = await queryPage(
    { index: 'byOwner', partition: partitions.organizerPayouts(organizerId) },
    query,
  );
  return { payouts: items.map(toPayout), nextCursor };
}

/**
 * Returns the write of a payout's transition (see payout.ts). It fails when the payout has changed since it was read.
 * @param nextDueAt when to continue, epoch milliseconds; `never` when the payout is COMPLETED or FAILED
 * @throws PayoutTransitionRefused from the write
 */
export function transitionPayout(
  payout: Payout,
  transition: Transition<Payout>,
  nextDueAt: number | 'never',
): Write {
  return updateWrite(payout, [transition], nextDueAt);
}

/** Changes only a payout's due time. @returns the changed payout @throws PayoutTransitionRefused */
export function postponePayout(payout: Payout, nextDueAt: number): Promise<Payout> {
  return writePayout(updateWrite(payout, [], nextDueAt));
}

/** Writes a change of a payout outside a transaction. @returns the changed payout @throws PayoutTransitionRefused */
export async function writePayout(change: Write): Promise<Payout> {
  return toPayout(await write(change));
}

function updateWrite(
  payout: Payout,
  transitions: readonly Transition<Payout>[],
  nextDueAt: number | 'never',
): Write {
  const dueFields =
    nextDueAt === 'never' ? { duePk: undefined, dueAt: undefined } : dueAttributes(payout.id, nextDueAt);
  const set = Object.assign({}, ...transitions.map((transition) => transition.set), dueFields, {
    updatedAt: new Date().toISOString(),
  });
  return update(
    keys.payout(payout.id),
    { set },
    {
      ...toCondition(transitions, expectUnchanged(payout, 'status', 'dueAt')),
      orThrow: (item) => {
        const current = toPayout(item);
        return new PayoutTransitionRefused(`Payout ${current.id} is ${current.status}`, current);
      },
    },
  );
}

/** Reads all payouts of an organizer, newest first. */
export async function* queryOrganizerPayouts(organizerId: string): AsyncGenerator<Payout> {
  const source = { index: 'byOwner', partition: partitions.organizerPayouts(organizerId) } as const;
  for await (const item of queryAll(source)) yield toPayout(item);
}
