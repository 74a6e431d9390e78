import { findUser } from '../../accounts/users/store.ts';
import { isClosed } from '../../accounts/users/user.ts';
import { hashBuyer } from '../../catalog/inventory/inventory.ts';
import { countUnpaidHold, uncountPurchase } from '../../catalog/inventory/store.ts';
import { entryLifecycle, heldByOffer, isOpen, type WaitingEntry } from '../../catalog/waiting-list/entry.ts';
import { transitionEntry } from '../../catalog/waiting-list/store.ts';
import { transition } from '../../core/state-machine.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { chooseShard, releaseTickets } from '../checkout/reserve-tickets.ts';
import { releaseListings } from './listings.ts';

/** Returns the writes that count an offer which was not taken like an unpaid order: its person had the tickets for nothing. */
async function countUnused({ userId, eventId }: WaitingEntry): Promise<Write[]> {
  const user = await findUser(userId);
  if (!user || isClosed(user)) return [];
  const nothing = { eventId, buyer: hashBuyer(user.email), items: [] };
  const unpaidHolds = await countUnpaidHold(nothing);
  return unpaidHolds ? [uncountPurchase(nothing, undefined, unpaidHolds)] : [];
}

/**
 * Ends an open entry, and releases the tickets that were offered to it, or takes its offer back. One that has ended stays as
 * it is.
 * @param ending `withdraw` takes back the offer of listed seats: the entry waits on
 * @throws EntryChanged after a concurrent change; DomainError as `releaseTickets`; the errors of `otherWrites`
 */
export async function endEntry(
  entry: WaitingEntry,
  ending: 'leave' | 'expire' | 'withdraw',
  otherWrites: readonly Write[] = [],
): Promise<void> {
  if (!isOpen(entry)) return;
  const timestamp = new Date().toISOString();
  const writes = [...transitionEntry(entry, transition(entryLifecycle, ending), timestamp), ...otherWrites];
  const { status, offer, eventId, tierId } = entry;
  if (status === 'waiting') return transact(writes);
  const items = [{ tierId, quantity: heldByOffer(entry) }];
  await releaseTickets({ eventId, items, shard: chooseShard() }, async () => [
    ...writes,
    ...(await releaseListings(offer?.backedBy, offer?.id)),
    ...(ending === 'withdraw' ? [] : await countUnused(entry)),
  ]);
}
