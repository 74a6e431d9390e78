import type { Order } from '../orders/order.ts';
import { expireOrder } from '../orders/settlement/expire-order.ts';
import { followCryptoPayment } from '../orders/settlement/follow-crypto.ts';
import { outboxMilliseconds, queueFulfilment } from '../orders/settlement/settle.ts';
import { applyMove, moveOrder, OrderMoved } from '../orders/store.ts';
import { count } from '../runtime/metrics.ts';
import { send } from '../runtime/queue.ts';

/**
 * Moves an order on that is due: a hold that ended expires, a paid order whose message did not arrive gets
 * another, a refund goes to the worker that sends money.
 * @param dueAt when it was due, as it was read
 */
export async function sweepOrder(order: Order, dueAt: string): Promise<void> {
  if (order.paymentStatus !== 'COMPLETED') {
    return order.cryptoTxHash ? followCryptoPayment(order, order.cryptoTxHash) : expireOrder(order);
  }
  if (order.isBooked && order.fulfilmentStatus === 'refund-due') {
    await send('payout', { orderId: order.id });
  } else {
    count('OutboxResent');
    await (order.isBooked ? send('mint', { orderId: order.id }) : queueFulfilment(order));
  }
  const unchanged = { when: '#dueAt = :seen', values: { seen: dueAt } };
  try {
    await applyMove(moveOrder(order.id, ['COMPLETED'], {}, Date.now() + outboxMilliseconds, unchanged));
  } catch (error) {
    // A worker has just taken it up.
    if (!(error instanceof OrderMoved)) throw error;
  }
}
