import { conflict } from '../../../core/errors.ts';
import { transact } from '../../../dynamo/write.ts';
import { refuseClosedAccount } from '../../events/editing/refuse-closed-account.ts';
import { getManagedEvent } from '../../events/read-events.ts';
import type { CodeCreation } from '../code-input.ts';
import { toCodeView } from '../code-view.ts';
import { insertCode } from '../store.ts';
import { insertCodeAudit } from './code-audit.ts';
import { newCode } from './revise-code.ts';

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
