import { readSoldOrders } from '../../../money/ledger/store.ts';
import { raiseSaleVersion, retryOnEventConflict } from '../../events/editing/change-event.ts';
import type { Event } from '../../events/event.ts';
import { getManagedEvent } from '../../events/read-events.ts';
import { toCodeView } from '../code-view.ts';
import { unknownCode } from '../get-code.ts';
import { CodeOrdered, findCode, removeCode } from '../store.ts';
import { changeCode } from './change-code.ts';
import { insertCodeDeletionAudit } from './code-audit.ts';

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
