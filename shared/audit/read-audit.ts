import { getItems } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import type { PageQuery } from '../dynamo/query.ts';
import { getOwnEvent } from '../events/read-events.ts';
import { toUser } from '../users/user.ts';
import type { AuditEntry } from './audit.ts';
import type { AuditEntryView } from './audit-view.ts';
import { listAll, listOfEvent } from './store.ts';

/**
 * Lists a page of the changes at an event, newest first. Administrators are not named.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer
 */
export async function readEventAudit(eventId: string, userId: string, query: PageQuery) {
  await getOwnEvent(eventId, userId);
  const { entries, nextCursor } = await listOfEvent(eventId, query);
  const views = await viewsOf(entries, ({ by }) => by.type === 'user');
  return { entries: views, nextCursor };
}

/** Lists a page of all changes, newest first. */
export async function readAudit(query: PageQuery) {
  const { entries, nextCursor } = await listAll(query);
  return { entries: await viewsOf(entries, () => true), nextCursor };
}

/** Adds the names of the users who made the changes, as they are now. */
async function viewsOf(
  entries: readonly AuditEntry[],
  isNamed: (entry: AuditEntry) => boolean,
): Promise<AuditEntryView[]> {
  const ids = entries.map((entry) => (isNamed(entry) ? entry.by.userId : undefined));
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  const users = await getItems(known.map((id) => keys.user(id)));
  const names = new Map(known.map((id, at) => [id, users[at] && toUser(users[at]).name]));
  return entries.map(({ id, at, action, by, eventId = null, details }, index) => {
    const userId = ids[index] ?? null;
    const name = (userId && names.get(userId)) ?? null;
    return { id, at, action, by: { type: by.type, userId, name }, eventId, details };
  });
}
