import type { Order } from '../orders/order.ts';
import { expireOrder } from '../orders/settlement/expire-order.ts';
import { followCryptoPayment } from '../orders/settlement/follow-crypto.ts';
import { outboxMilliseconds, queueFulfilment } from '../orders/settlement/settle.ts';
import { changeOrder, OrderTransitionRefused, writeOrder } from '../orders/store.ts';
import { count } from '../runtime/metrics.ts';
import { send } from '../runtime/queue.ts';

/**
 * Continues an order that is due: expires a hold that ended, sends another message for a paid order whose first was
 * lost, sends a refund to the worker that transfers money.
 * @param dueAt the order's due time as it was read, ISO 8601
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
  const unchanged = { paymentStatus: 'COMPLETED', dueAt } as const;
  try {
    await writeOrder(changeOrder(order.id, {}, { unchanged, due: Date.now() + outboxMilliseconds }));
  } catch (error) {
    // A worker has just changed it.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}
