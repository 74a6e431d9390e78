import { entryLifecycle, isOpen, type WaitingEntry } from '../../catalog/waiting-list/entry.ts';
import { transitionEntry } from '../../catalog/waiting-list/store.ts';
import { transition } from '../../core/state-machine.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { chooseShard, releaseTickets } from '../checkout/reserve-tickets.ts';

/**
 * Ends an open entry, and releases the tickets that were offered to it. One that has ended stays as it is.
 * @throws EntryChanged after a concurrent change; DomainError as `releaseTickets`; the errors of `otherWrites`
 */
export async function endEntry(
  entry: WaitingEntry,
  ending: 'leave' | 'expire',
  otherWrites: readonly Write[] = [],
): Promise<void> {
  if (!isOpen(entry)) return;
  const timestamp = new Date().toISOString();
  const writes = [...transitionEntry(entry, transition(entryLifecycle, ending), timestamp), ...otherWrites];
  if (entry.status === 'waiting') return transact(writes);
  await releaseTickets({ eventId: entry.eventId, items: [entry], shard: chooseShard() }, writes);
}
