import { raiseSaleVersion, retryOnEventConflict } from '../../events/editing/change-event.ts';
import { getManagedEvent } from '../../events/read-events.ts';
import type { CodeChange } from '../code-input.ts';
import { toCodeView } from '../code-view.ts';
import { unknownCode } from '../get-code.ts';
import { findCode, updateCode } from '../store.ts';
import { insertCodeAudit } from './code-audit.ts';
import { reviseCode } from './revise-code.ts';

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
