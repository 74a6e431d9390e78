import { toAuditActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { type Actor, authorize } from '../../accounts/auth/authorize.ts';
import { recordDoorChange } from '../../catalog/door/changes.ts';
import { tierNameOf } from '../../catalog/events/event.ts';
import { roleAt } from '../../catalog/staff/entitlements.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { itemOfSeat } from '../../orders/order.ts';
import { decrementAdmitted } from '../../orders/store.ts';
import { findSeat, retryOnChange, type SeatContext } from '../seats/find-seat.ts';
import { changeLists, countAdmission, removeAdmission } from '../seats/store.ts';
import type { Admission, SeatReference } from '../ticket.ts';
import { type ListedAdmission, newestAdmission } from './passage.ts';
import type { UndoneAdmission } from './views.ts';

/** How long whoever scanned a ticket may undo it, in milliseconds. */
const scannerMilliseconds = 2 * 60 * 1000;

/**
 * Undoes the last admission of a seat, by whichever list, so that the same code is admitted again, and records it in the audit trail. A seat
 * that is not admitted stays as it is, so the request can be repeated. A token that was locked after the admission stays
 * locked.
 * @param checkedInAt the time of the admission to undo, ISO 8601 in UTC; absent for the last one
 * @throws DomainError 404 for callers without a role at the event; 403 for staff of the role `door` who did not scan it
 * in the last two minutes; 409 while others change the seat
 */
export function undoAdmission(
  caller: Actor,
  reference: SeatReference,
  checkedInAt?: string,
): Promise<UndoneAdmission> {
  return retryOnChange(async () => {
    const seatContext = await findSeat(reference);
    if (!seatContext) throw notFound('Seat');
    const { seat, order, event } = seatContext;
    const role = await roleAt(event, caller);
    authorize(caller, [() => role !== undefined], notFound('Seat'));
    const tierName = tierNameOf(event, itemOfSeat(order, seat.number));
    const undone = { orderId: order.id, number: seat.number, tierName, checkedInAt: null };
    const newest = newestAdmission(seat);
    if (!newest || (checkedInAt && newest.checkedInAt !== checkedInAt)) return undone;
    const mayUndo = role === 'organizer' || role === 'manager' || isOwnRecentScan(caller, newest);
    authorize(caller, [() => mayUndo], tooLate());
    await transact(undoWrites(caller, seatContext, newest));
    return undone;
  });
}

const isOwnRecentScan = ({ userId }: Actor, { checkedInBy, checkedInAt }: Admission) =>
  checkedInBy === userId && Date.now() - Date.parse(checkedInAt) <= scannerMilliseconds;

const tooLate = () =>
  forbidden('You can undo your own scans for two minutes. After that, ask the organizer or a manager.');

function undoWrites(
  caller: Actor,
  { seat, order, event }: SeatContext,
  { listId, checkedInAt }: ListedAdmission,
): Write[] {
  const at = new Date().toISOString();
  const { [listId ?? '']: undone, ...lists } = seat.lists ?? {};
  const isLast = Object.keys(lists).length === 0;
  const isCounted = isLast && !itemOfSeat(order, seat.number).isAddOn;
  return [
    ...(isLast ? [removeAdmission(seat), decrementAdmitted(order.id)] : [changeLists(seat, event.id, lists)]),
    ...(isCounted ? [countAdmission(event.id, -1)] : []),
    ...recordDoorChange(event, { orderIds: [order.id], number: seat.number }, at),
    insertAuditEntry({
      action: 'admission-undone',
      by: toAuditActor(caller),
      eventId: event.id,
      details: { orderId: order.id, number: `${seat.number}`, checkedInAt },
      at,
    }),
  ];
}
