import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import type { PageQuery } from '../../dynamo/query.ts';
import { toUser } from '../users/user.ts';
import type { AuditEntry } from './audit.ts';
import type { AuditEntryView } from './audit-view.ts';
import { listAllAudit } from './store.ts';

/** Lists a page of all recorded changes, newest first. */
export async function readAudit(query: PageQuery) {
  const { entries, nextCursor } = await listAllAudit(query);
  return { entries: await toAuditViews(entries, () => true), nextCursor };
}

/** Adds the current names of the users who made the changes. */
export async function toAuditViews(
  entries: readonly AuditEntry[],
  showsName: (entry: AuditEntry) => boolean,
): Promise<AuditEntryView[]> {
  const userIds = entries.map((entry) => (showsName(entry) ? entry.by.userId : undefined));
  const uniqueIds = [...new Set(userIds.filter((id) => id !== undefined))];
  const users = await getItems(uniqueIds.map((id) => keys.user(id)));
  const names = new Map(uniqueIds.map((id, index) => [id, users[index] && toUser(users[index]).name]));
  return entries.map(({ id, at, action, by, eventId = null, details }, index) => {
    const userId = userIds[index] ?? null;
    const name = (userId && names.get(userId)) ?? null;
    return { id, at, action, by: { type: by.type, userId, name }, eventId, details };
  });
}
