import { transition } from '../../core/state-machine.ts';
import { transact } from '../../dynamo/write.ts';
import type { Event } from '../../events/event.ts';
import { insertMail } from '../../mail/store.ts';
import { insertNotification, putNotifications } from '../../notifications/store.ts';
import { incrementCounter } from '../../runtime/metrics.ts';
import { fulfilment } from '../lifecycle.ts';
import { holdersOf, mailHolders } from '../mail-holders.ts';
import { cancellationNotification, holderCancellation } from '../notifications.ts';
import type { Order } from '../order.ts';
import { OrderTransitionRefused, transitionOrder } from '../store.ts';
import { failOrder } from './settle-order.ts';

/**
 * Ends one order of a cancelled event. An unpaid order fails; a paid order becomes due for a refund; an order that has
 * ended does not change. The failed order stays due until its gateway, or its transaction, shows whether it was paid: a
 * payment is refunded.
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
    // Nothing but the notification below follows this payment: the order is never posted.
    isBooked: true,
  });
  // The notifications come first, since a marked order is not processed again: a crash in between repeats the
  // notifications.
  await notifyHolders(order, event);
  try {
    await transact([
      transitionOrder(order.id, [cancelled], at, { nextDueAt: Date.now() }),
      insertNotification(cancellationNotification(order, event, at)),
      ...insertMail({ kind: 'event-cancelled', orderId: order.id }, order.userId, { eventId: event.id }),
    ]);
    incrementCounter('RefundsDue');
  } catch (error) {
    // Another worker marked it in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/** Notifies and mails the holders of transferred seats. */
async function notifyHolders(order: Order, event: Event): Promise<void> {
  const holders = await holdersOf(order);
  await putNotifications(holders.map((userId) => holderCancellation(order, event, userId)));
  await mailHolders(order, event.updatedAt);
}
