import { isDeepStrictEqual } from 'node:util';
import { toAuditActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { conflict } from '../../core/errors.ts';
import type { PageQuery } from '../../dynamo/read.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { readSoldOrders } from '../../money/ledger/store.ts';
import { raiseSaleVersion, retryOnEventConflict } from '../events/editing/change-event.ts';
import { refuseClosedAccount } from '../events/editing/create-event.ts';
import type { Event } from '../events/event.ts';
import { getManagedEvent } from '../events/read-events.ts';
import type { Code } from './code.ts';
import type { CodeChange, CodeCreation } from './code-input.ts';
import { toCodeView } from './code-view.ts';
import { newCode, reviseCode } from './revise-code.ts';
import {
  CodeOrdered,
  findCode,
  insertCode,
  queryCodes,
  removeCode,
  unknownCode,
  updateCode,
} from './store.ts';

/**
 * Creates a code for an event.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and managers and when
 * the organizer has closed the account, 400 for invalid values, 409 for a code that the event already has
 */
export async function createCode(eventId: string, userId: string, creation: CodeCreation) {
  const event = await getManagedEvent(eventId, userId);
  await refuseClosedAccount(event.organizerId);
  const code = newCode(event, creation, new Date().toISOString());
  await transact([
    insertCode(code, () => conflict('code-exists', 'The event has this code already')),
    ...insertCodeAudit(undefined, code, userId),
  ]);
  return toCodeView(code, event.currency);
}

/**
 * Changes a code and raises the event's sale version, so that an order priced with the old code is priced again.
 * @param text the code's text, in upper case
 * @throws DomainError 404 for an unknown code and for an event that the caller may not see, 403 for all but the
 * organizer and managers, 400 for invalid values
 */
export function changeCode(eventId: string, text: string, userId: string, change: CodeChange) {
  return retryOnEventConflict(
    () => getManagedEvent(eventId, userId),
    async (event) => {
      const before = await findCode(eventId, text);
      if (!before) throw unknownCode();
      const updatedAt = new Date().toISOString();
      const revised = { ...reviseCode(event, before, change), updatedAt, version: event.saleVersion + 1 };
      await raiseSaleVersion(event, [updateCode(revised), ...insertCodeAudit(before, revised, userId)]);
      return toCodeView(revised, event.currency);
    },
  );
}

/**
 * Deletes a code. A used code is deactivated instead, since sales reports refer to it. Unpaid orders with a deleted code
 * keep their discount.
 * @param text the code's text, in upper case
 * @returns the deleted or deactivated code, inactive in both cases
 * @throws DomainError 404 for an unknown code and for an event that the caller may not see, 403 for all but the
 * organizer and managers
 */
export async function deleteCode(eventId: string, text: string, userId: string) {
  try {
    return await retryOnEventConflict(
      () => getManagedEvent(eventId, userId),
      async (event) => {
        const code = await findCode(eventId, text);
        if (!code) throw unknownCode();
        if (await hasPostedOrder(event, text)) throw new CodeOrdered();
        // Orders that were drafted with the code are refused and drafted again.
        await raiseSaleVersion(event, [removeCode(code), insertCodeDeletionAudit(code, userId)]);
        return toCodeView({ ...code, active: false }, event.currency);
      },
    );
  } catch (error) {
    if (!(error instanceof CodeOrdered)) throw error;
    return changeCode(eventId, text, userId, { active: false });
  }
}

/** Returns whether the ledger has an order with the code. The code itself counts orders only while it has limits. */
async function hasPostedOrder({ organizerId, id }: Event, text: string): Promise<boolean> {
  for await (const { code } of readSoldOrders(organizerId, id)) if (code === text) return true;
  return false;
}

/**
 * Lists a page of an event's codes, in alphabetical order, with the number of their uses.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and managers
 */
export async function listCodes(eventId: string, userId: string, page: PageQuery) {
  const { currency } = await getManagedEvent(eventId, userId);
  const { codes, nextCursor } = await queryCodes(eventId, page);
  return { codes: codes.map((code) => toCodeView(code, currency)), nextCursor };
}

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
