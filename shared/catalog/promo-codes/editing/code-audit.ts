import { isDeepStrictEqual } from 'node:util';
import { toAuditActor } from '../../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../../accounts/audit/store.ts';
import type { Write } from '../../../dynamo/write.ts';
import type { Code } from '../code.ts';

/** The fields that organizers and managers set. */
const fields = [
  'kind',
  'value',
  'tierIds',
  'maxUses',
  'maxPerUser',
  'budget',
  'validFrom',
  'validUntil',
  'active',
] as const satisfies (keyof Code)[];

/**
 * Returns the write that records a new or changed code in the audit trail; none when the change has no effect.
 * @param before the code before the change; undefined for a new one
 */
export function insertCodeAudit(before: Code | undefined, after: Code, userId: string): Write[] {
  const changedFields = fields.filter((field) => !isDeepStrictEqual(before?.[field], after[field]));
  if (changedFields.length === 0) return [];
  const details = changedFields.flatMap((field) => [
    [field, toText(after[field])],
    ...(before ? [[`${field}Before`, toText(before[field])]] : []),
  ]);
  return [
    insertAuditEntry({
      action: before ? 'code-changed' : 'code-created',
      by: toAuditActor({ userId }),
      eventId: after.eventId,
      details: { code: after.code, ...Object.fromEntries(details) },
    }),
  ];
}

/** Returns the write that records a deleted code in the audit trail. */
export function insertCodeDeletionAudit({ eventId, code }: Code, userId: string): Write {
  return insertAuditEntry({
    action: 'code-deleted',
    by: toAuditActor({ userId }),
    eventId,
    details: { code },
  });
}

function toText(value: Code[(typeof fields)[number]]): string {
  if (Array.isArray(value)) return value.join(', ') || 'all';
  return value === undefined ? 'none' : String(value);
}
