import { findOrder } from '../store.ts';
import { expireOrder } from './expire-order.ts';
import { followCryptoPayment } from './follow-crypto-payment.ts';

/** Advances an unpaid order that is due: ends its hold, or checks the transaction that its buyer submitted. */
export async function settleDueOrder(orderId: string): Promise<void> {
  const order = await findOrder(orderId);
  if (!order || order.paymentStatus === 'COMPLETED') return;
  await (order.cryptoTxHash ? followCryptoPayment(order, order.cryptoTxHash) : expireOrder(order));
}
