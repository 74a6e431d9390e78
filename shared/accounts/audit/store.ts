import { newId } from '../../core/ids.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { type PageQuery, queryPage } from '../../dynamo/read.ts';
import { put, type Write } from '../../dynamo/write.ts';
import { type AuditChange, type AuditEntry, toAuditEntry } from './audit.ts';

/**
 * Returns the write that records a change. It belongs in the transaction of the change, so that neither happens alone.
 */
export function insertAuditEntry({ at = new Date().toISOString(), ...change }: AuditChange): Write {
  const id = newId(Date.parse(at));
  const entry: AuditEntry = { id, at, ...change, details: { ...change.details } };
  const { eventId } = entry;
  return put({
    ...keys.audit(id),
    ...entry,
    ownerPk: partitions.audit,
    ownerSk: id,
    ...(eventId && { eventPk: partitions.eventAudit(eventId), eventSk: id }),
  });
}

/** Lists a page of all recorded changes, newest first. */
export function listAllAudit(query: PageQuery) {
  return listAudit({ index: 'byOwner', partition: partitions.audit }, query);
}

/** Lists a page of an event's recorded changes, newest first. */
export function listEventAudit(eventId: string, query: PageQuery) {
  return listAudit({ index: 'byEvent', partition: partitions.eventAudit(eventId) }, query);
}

async function listAudit(source: Parameters<typeof queryPage>[0], query: PageQuery) {
  const { items, nextCursor } = await queryPage(source, query);
  return { entries: items.map(toAuditEntry), nextCursor };
}
