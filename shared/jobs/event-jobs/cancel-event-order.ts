import type { Event } from '../../catalog/events/event.ts';
import { transition } from '../../core/state-machine.ts';
import { transact } from '../../dynamo/write.ts';
import { insertNotification, putNotifications } from '../../messaging/notifications/store.ts';
import { insertMail } from '../../messaging/outbox/store.ts';
import { fulfilment } from '../../orders/lifecycle.ts';
import { cancellationNotification, holderCancellationNotification } from '../../orders/notifications.ts';
import type { Order } from '../../orders/order.ts';
import { failOrder } from '../../orders/settlement/settle-order.ts';
import { OrderTransitionRefused, transitionOrder } from '../../orders/store.ts';
import { incrementCounter } from '../../runtime/metrics.ts';
import { mailHolders, readHolderIds } from '../../tickets/seats/mail-holders.ts';

/**
 * Ends one order of a cancelled event. An unpaid order fails; a paid order becomes due for a refund; an order that has
 * ended does not change. The sweep checks a failed order until its gateway or the chain shows whether it was paid, and
 * refunds a payment that it finds.
 */
export async function cancelEventOrder(order: Order, event: Event): Promise<void> {
  const currentOrder = await failOrder(order, 'event-cancelled', Date.now());
  if (currentOrder.paymentStatus === 'COMPLETED') await markRefundDue(currentOrder, event);
}

async function markRefundDue(order: Order, event: Event): Promise<void> {
  if (order.fulfilmentStatus === 'refund-due') return;
  const timestamp = new Date().toISOString();
  const cancelTransition = transition(fulfilment, 'cancelEvent', {
    fulfilmentReason: 'event-cancelled',
    // Prevents a later posting to the ledger, which would credit the organizer.
    isPosted: true,
  });
  // The notifications come first, since a marked order is not processed again. After a crash in between they are
  // repeated.
  await notifyHolders(order, event);
  try {
    await transact([
      transitionOrder(order.id, [cancelTransition], timestamp, { nextDueAt: Date.now() }),
      insertNotification(cancellationNotification(order, event, timestamp)),
      ...insertMail({ kind: 'event-cancelled', orderId: order.id }, order.userId, { eventId: event.id }),
    ]);
    incrementCounter('RefundsDue');
  } catch (error) {
    // Another worker marked the order in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/** Notifies and mails the holders of transferred seats. */
async function notifyHolders(order: Order, event: Event): Promise<void> {
  const holderIds = await readHolderIds(order);
  await putNotifications(holderIds.map((userId) => holderCancellationNotification(order, event, userId)));
  await mailHolders(order, event.updatedAt);
}
