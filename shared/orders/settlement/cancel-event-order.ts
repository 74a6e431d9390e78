import { transition } from '../../core/state-machine.ts';
import { transact } from '../../dynamo/write.ts';
import type { Event } from '../../events/event.ts';
import { insertMail } from '../../mail/store.ts';
import { insertNotification, putNotifications } from '../../notifications/store.ts';
import { count } from '../../runtime/metrics.ts';
import { holderOf } from '../../tickets/seats/seat.ts';
import { readSeatsOf } from '../../tickets/seats/store.ts';
import { fulfilment } from '../lifecycle.ts';
import { cancellationNotification, holderCancellation } from '../notifications.ts';
import type { Order } from '../order.ts';
import { OrderTransitionRefused, transitionOrder } from '../store.ts';
import { failOrder } from './settle.ts';

/**
 * Ends one order of a cancelled event: an order that waits for payment fails, a paid order becomes due for a refund.
 * An order that has ended is left as it is. A failed order stays due: its gateway is asked whether it was paid, or its
 * transaction is followed, and what was paid goes back.
 */
export async function cancelEventOrder(order: Order, event: Event): Promise<void> {
  const ended = await failOrder(order, 'event-cancelled', Date.now());
  if (ended.paymentStatus === 'COMPLETED') await markRefundDue(ended, event);
}

async function markRefundDue(order: Order, event: Event): Promise<void> {
  if (order.fulfilmentStatus === 'refund-due') return;
  const at = new Date().toISOString();
  const cancelled = transition(fulfilment, 'cancelEvent', {
    fulfilmentReason: 'event-cancelled',
    // The notification below is all that follows this payment: the order is never posted.
    isBooked: true,
  });
  // Before the order is marked, since marked orders are not repeated: a crash in between repeats the notifications.
  if (order.moved !== undefined) await notifyHolders(order, event);
  try {
    await transact([
      transitionOrder(order.id, [cancelled], at, { due: Date.now() }),
      insertNotification(cancellationNotification(order, event, at)),
      ...insertMail({ kind: 'event-cancelled', orderId: order.id }, order.userId, { eventId: event.id }),
    ]);
    count('RefundsDue');
  } catch (error) {
    // Another worker marked it in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/** Notifies those who hold seats that the buyer handed over. */
async function notifyHolders(order: Order, event: Event): Promise<void> {
  const seats = await readSeatsOf(order.id);
  const holders = new Set([...seats.values()].map((seat) => holderOf(seat, order)));
  holders.delete(order.userId);
  await putNotifications([...holders].map((userId) => holderCancellation(order, event, userId)));
}
