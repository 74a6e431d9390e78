import { type Actor, admin, authorize } from '../../auth/authorize.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact } from '../../dynamo/write.ts';
import type { Event } from '../../events/event.ts';
import { getEvent } from '../../events/store.ts';
import { toOrder } from '../../orders/order.ts';
import { countSeat, OrderTransitionRefused } from '../../orders/store.ts';
import { staffOf } from '../../staff/entitlements.ts';
import { seatOf } from '../seats/seat.ts';
import { admitSeat, SeatChanged } from '../seats/store.ts';
import { admissionEnd, admissionRefusal, seatRefusal } from './admissions.ts';
import { type CodedSeat, openCode } from './code.ts';
import { countAdmission } from './store.ts';
import type { CheckInRequest, CheckInView } from './views.ts';

/**
 * Admits the seat of a code. One transaction requires that the seat was not admitted before, has not changed hands since
 * the code was made, and that its order still has its seats, and counts it: of concurrent scans, changes of hands and a refund, one
 * succeeds.
 * @throws DomainError 400 for an invalid code; 403 for others than the event's organizer, its staff and administrators; 409 for
 * another event, one that ended more than a day ago, an order whose seats are no longer admitted, a seat that has changed
 * hands, or one that was admitted before
 */
export async function checkIn(caller: Actor, { code, eventId }: CheckInRequest): Promise<CheckInView> {
  const coded = await openCode(code);
  const { orderId, number } = coded;
  const [orderItem, seatItem] = await getItems([keys.order(orderId), keys.seat(orderId, number)]);
  if (!orderItem) throw notFound('Order');
  const order = toOrder(orderItem);
  const event = await getEvent(order.eventId);
  const refused = forbidden('Only the organizer and the staff of the event may check in');
  authorize(caller, [admin, await staffOf(event, caller)], refused);
  if (eventId !== undefined && eventId !== event.id) {
    throw conflict('other-event', 'The ticket is for another event');
  }
  const refusal = admissionRefusal(order, event) ?? seatRefusal(seatOf(coded, seatItem), coded);
  if (refusal) throw refusal;
  if (Date.now() > admissionEnd(event)) {
    throw conflict('code-expired', 'The event ended more than a day ago, so its tickets are no longer valid');
  }
  const checkedInAt = new Date().toISOString();
  await admit(coded, event, { checkedInAt, checkedInBy: caller.userId });
  return {
    orderId,
    number,
    quantity: order.quantity,
    eventId: event.id,
    tierId: order.tierId,
    tierName: event.tiers.find(({ id }) => id === order.tierId)?.name ?? '',
    customerName: order.customerName,
    checkedInAt,
  };
}

async function admit(
  coded: CodedSeat,
  event: Event,
  admission: { checkedInAt: string; checkedInBy: string },
) {
  try {
    await transact([
      admitSeat(coded, event.id, admission),
      countSeat(coded.orderId, 'admitted'),
      countAdmission(event.id),
    ]);
  } catch (error) {
    if (error instanceof SeatChanged) throw seatRefusal(error.current, coded) ?? error;
    if (error instanceof OrderTransitionRefused) throw admissionRefusal(error.current, event) ?? error;
    throw error;
  }
}
