import { transition } from '../../core/state-machine.ts';
import { partitions } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/query.ts';
import { transact } from '../../dynamo/write.ts';
import type { Event } from '../../events/event.ts';
import { insertNotification } from '../../notifications/store.ts';
import { count } from '../../runtime/metrics.ts';
import { fulfilment } from '../lifecycle.ts';
import { cancellationNotification } from '../notifications.ts';
import { type Order, toOrder } from '../order.ts';
import { OrderTransitionRefused, transitionOrder } from '../store.ts';
import { failOrder } from './settle.ts';

/**
 * Ends the orders of a cancelled event: those waiting for payment fail, those paid become due for a refund. Orders
 * that have ended are skipped, so the work can stop and continue at any time.
 * @param deadline when to stop (epoch milliseconds)
 * @returns whether all orders are done
 */
export async function cancelEventOrders(event: Event, deadline: number): Promise<boolean> {
  const source = { index: 'byEvent', partition: partitions.eventOrders(event.id) } as const;
  for await (const item of queryAll(source)) {
    if (Date.now() > deadline) return false;
    const order = await failOrder(toOrder(item), 'event-cancelled');
    if (order.paymentStatus === 'COMPLETED') await markRefundDue(order, event);
  }
  return true;
}

async function markRefundDue(order: Order, event: Event): Promise<void> {
  if (order.fulfilmentStatus === 'refund-due') return;
  const at = new Date().toISOString();
  const cancelled = transition(fulfilment, 'cancelEvent', {
    fulfilmentReason: 'event-cancelled',
    // The notification below is all that follows this payment: the order is never posted.
    isBooked: true,
  });
  try {
    await transact([
      transitionOrder(order.id, [cancelled], at, { due: Date.now() }),
      insertNotification(cancellationNotification(order, event, at)),
    ]);
    count('RefundsDue');
  } catch (error) {
    // Another sweep marked it in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}
