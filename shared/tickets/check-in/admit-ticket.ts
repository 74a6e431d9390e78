import { type Actor, admin, authorize, organizerOf } from '../../auth/authorize.ts';
import { conflict, forbidden } from '../../core/errors.ts';
import { write } from '../../dynamo/write.ts';
import { getEvent } from '../../events/store.ts';
import { getOrder } from '../../orders/store.ts';
import { openCode } from './code.ts';
import { whyRefused } from './rules.ts';
import { insertCheckIn } from './store.ts';
import type { CheckInRequest, CheckInView } from './views.ts';

/**
 * Lets the seat of a code in, once, however many doors scan it at the same time. A refund that begins between our
 * look at the order and our write counts as begun afterwards, as it might well have been.
 * @throws DomainError 400 for a code that is not ours; 403 for others than the event's organizer and
 * administrators; 409 for a code that has ended, an order whose seats are not good any more, the door of another
 * event, and a seat that is in
 */
export async function checkIn(caller: Actor, { code, eventId }: CheckInRequest): Promise<CheckInView> {
  const seat = await openCode(code);
  const order = await getOrder(seat.orderId);
  const event = await getEvent(order.eventId);
  authorize(caller, [organizerOf(event), admin], forbidden('Only the organizer of the event may check in'));
  if (eventId !== undefined && eventId !== event.id) {
    throw conflict('other-event', 'The ticket is for another event');
  }
  const refusal = whyRefused(order, event);
  if (refusal) throw refusal;
  const checkedInAt = new Date().toISOString();
  await write(insertCheckIn({ ...seat, checkedInAt, checkedInBy: caller.userId }));
  return {
    ...seat,
    quantity: order.quantity,
    eventId: event.id,
    tierId: order.tierId,
    tierName: event.tiers.find(({ id }) => id === order.tierId)?.name ?? '',
    customerName: order.customerName,
    checkedInAt,
  };
}
