import { toAuditViews } from '../../accounts/audit/read-audit.ts';
import { listEventAudit } from '../../accounts/audit/store.ts';
import type { PageQuery } from '../../dynamo/read.ts';
import { getOwnEvent } from './read-events.ts';

/**
 * Lists a page of an event's recorded changes, newest first. Administrators are not named.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer
 */
export async function readEventAudit(eventId: string, userId: string, query: PageQuery) {
  await getOwnEvent(eventId, userId);
  const { entries, nextCursor } = await listEventAudit(eventId, query);
  const views = await toAuditViews(entries, ({ by }) => by.type === 'user');
  return { entries: views, nextCursor };
}
