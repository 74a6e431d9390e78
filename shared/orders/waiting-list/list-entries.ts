import { findUser } from '../../accounts/users/store.ts';
import { isAddOn } from '../../catalog/events/event.ts';
import { getManagedEvent } from '../../catalog/events/read-events.ts';
import type { WaitingEntry } from '../../catalog/waiting-list/entry.ts';
import { countWaiting, listOpenEntries, queryOffered } from '../../catalog/waiting-list/store.ts';
import { managedEntryView } from '../../catalog/waiting-list/views.ts';
import { toView } from '../../core/schemas.ts';
import { toCsv } from '../../core/text.ts';
import type { PageQuery } from '../../dynamo/read.ts';

/**
 * Lists the open entries of an event's waiting lists, those with an offer first, each in the order of joining.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and managers
 */
export async function listWaitingList(eventId: string, userId: string, query: PageQuery) {
  const event = await getManagedEvent(eventId, userId);
  const tiers = event.tiers.filter((tier) => !isAddOn(tier));
  const { entries, nextCursor } = await listOpenEntries(
    eventId,
    tiers.map(({ id }) => id),
    query,
  );
  const counts = await Promise.all(tiers.map(({ id }) => countList(eventId, id)));
  return { tiers: counts, entries: await Promise.all(entries.map(showMember)), nextCursor };
}

async function countList(eventId: string, tierId: string) {
  let offers = 0;
  let offeredTickets = 0;
  for await (const { quantity } of queryOffered({ eventId, tierId })) {
    offers++;
    offeredTickets += quantity;
  }
  return { tierId, waiting: await countWaiting({ eventId, tierId }), offers, offeredTickets };
}

async function showMember(entry: WaitingEntry) {
  const user = await findUser(entry.userId);
  return toView(managedEntryView, entry, {
    name: user?.name ?? '',
    email: user?.email ?? '',
    status: entry.status === 'offered' ? 'offered' : 'waiting',
    offerExpiresAt: entry.offer?.expiresAt ?? null,
  });
}

const columns = ['joinedAt', 'tierId', 'quantity', 'status', 'name', 'email', 'offerExpiresAt'] as const;
const rowsPerFile = 1_000;

/** Exports the open entries as CSV, at most 1,000 a file. @throws as `listWaitingList` */
export async function exportWaitingList(eventId: string, userId: string, cursor: string | undefined) {
  const event = await getManagedEvent(eventId, userId);
  const tierIds = event.tiers.filter((tier) => !isAddOn(tier)).map(({ id }) => id);
  const rows: (string | number)[][] = [];
  let next = cursor;
  do {
    const page = await listOpenEntries(eventId, tierIds, { limit: 100, ...(next && { cursor: next }) });
    for (const entry of await Promise.all(page.entries.map(showMember)))
      rows.push(columns.map((name) => entry[name] ?? ''));
    next = page.nextCursor ?? undefined;
  } while (next && rows.length < rowsPerFile);
  return { csv: toCsv([...columns], rows), nextCursor: next ?? null };
}
