import * as z from 'zod';
import { identifier, time } from '../../core/schemas.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItems, type PageQuery } from '../../dynamo/read.ts';
import { toUser } from '../users/user.ts';
import { type AuditEntry, actorTypes, auditActions } from './audit.ts';
import { listAllAudit } from './store.ts';

/** A recorded change in API responses. */
export const auditEntryView = z
  .object({
    id: identifier,
    at: time,
    action: z.enum(auditActions),
    by: z.object({
      type: z.enum(actorTypes).meta({
        description:
          'Who made the change: an account (`user`, `admin`), a payment gateway’s webhook (`gateway`), an operator’s command (`operator`), or the service itself (`system`)',
      }),
      userId: z.string().nullable(),
      name: z
        .string()
        .nullable()
        .meta({ description: 'The account’s name. Only administrators see the names of administrators' }),
    }),
    eventId: identifier.nullable(),
    details: z.record(z.string(), z.string()).meta({
      description: 'Ids, codes, states and amounts; the keys depend on the action',
      examples: [{ role: 'door', userId: 'cm5x2k9q0h3v7r1t8w4y6z0ab' }],
    }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryView = z.infer<typeof auditEntryView>;

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
