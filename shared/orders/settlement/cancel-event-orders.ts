import { partitions } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/query.ts';
import { transact } from '../../dynamo/write.ts';
import type { Event } from '../../events/event.ts';
import { insertNotification } from '../../notifications/store.ts';
import { count } from '../../runtime/metrics.ts';
import { cancellationNotification } from '../fulfilment/purchase-notification.ts';
import type { Order } from '../order.ts';
import { moveOrder, OrderMoved, toOrder } from '../store.ts';
import { failOrder } from './fail-order.ts';

/**
 * Winds up the orders of a cancelled event: those waiting for payment fail, those paid are due back. Orders done
 * already are passed over, so that it can be broken off and taken up again.
 * @param deadline when to break off (epoch milliseconds)
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
  const change = {
    fulfilmentStatus: 'refund-due',
    fulfilmentReason: 'event-cancelled',
    // The buyer is told right here: what else would follow a completed payment is off.
    isBooked: true,
    updatedAt: at,
  };
  const further = { when: '#fulfilmentStatus <> :refundDue', values: { refundDue: 'refund-due' } };
  try {
    await transact([
      moveOrder(order.id, ['COMPLETED'], change, Date.now(), further),
      insertNotification(cancellationNotification(order, event, at)),
    ]);
    count('RefundsDue');
  } catch (error) {
    // Marked by another sweep in the meantime.
    if (!(error instanceof OrderMoved)) throw error;
  }
}
