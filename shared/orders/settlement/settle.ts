import { DomainError } from '../../core/errors.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { inCurrencyOf } from '../../payments/amounts.ts';
import type { GatewayName, PaymentSignal } from '../../payments/gateway.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { send } from '../../runtime/queue.ts';
import { reserveSeats, withEvent } from '../checkout/reserve.ts';
import { type Order, type OrderChange, type PaymentStatus, paymentMoves } from '../order.ts';
import { orderIdOf } from '../reference.ts';
import { applyMove, findOrder, moveOrder, OrderMoved } from '../store.ts';

/** How long the sweep leaves an order to its message before it sends another. */
export const outboxMilliseconds = 60_000;

export type Settlement = 'unknown' | 'completed' | 'repeated' | 'under-review';

/** The order a gateway means by a reference; undefined when it is none of that gateway's. */
export async function findPaidOrder(
  gateway: GatewayName | undefined,
  reference: string,
): Promise<Order | undefined> {
  const id = orderIdOf(reference);
  const order = id === undefined ? undefined : await findOrder(id);
  return order?.reference === reference && order.gateway === gateway ? order : undefined;
}

/**
 * Takes a confirmed payment: the only road to COMPLETED, for webhooks, crypto, free orders and the sweep alike.
 * One conditional write moves the order and marks it due for fulfilment; then its message is sent. When that
 * fails this throws, the mark stays, and the next delivery or the sweep sends it.
 * @param also writes that must happen in the same transaction, or the order does not complete
 * @throws what `also` refuses
 */
export async function settle(
  order: Order,
  told: PaymentSignal,
  also: readonly Write[] = [],
): Promise<Settlement> {
  if (order.paymentStatus === 'COMPLETED') return repeat(order, told);
  const signal = inCurrencyOf(order, told);
  const review = shortfall(order, signal);
  if (review) {
    await holdForReview(order, review);
    return 'under-review';
  }
  try {
    const completed = await (order.paymentStatus === 'PENDING'
      ? complete(order, signal, also)
      : completeLate(order, signal, also));
    log.info('Order completed', { orderId: order.id, fulfilment: completed.fulfilmentStatus });
    count('OrdersCompleted');
    await queueFulfilment(completed);
    return 'completed';
  } catch (error) {
    // Somebody else moved the order between our reading and our writing: look at it as it stands now.
    if (error instanceof OrderMoved) return settle(error.current, signal, also);
    throw error;
  }
}

/** Hands a completed order to the worker; harmless when done more than once. */
export async function queueFulfilment({ id, eventId, userId }: Order): Promise<void> {
  await send('fulfil', { orderId: id, eventId, userId });
}

async function repeat(order: Order, { transactionId }: PaymentSignal): Promise<Settlement> {
  if (transactionId !== order.paymentTxId) {
    // Nothing more comes of it here, but somebody seems to have paid twice.
    log.warn('Second payment for an order', { orderId: order.id });
    count('PaymentsUnderReview');
  }
  if (!order.isBooked) await queueFulfilment(order);
  return 'repeated';
}

function complete(order: Order, signal: PaymentSignal, also: readonly Write[]): Promise<Order> {
  const now = Date.now();
  const change = { ...payment(signal, now), fulfilmentStatus: 'queued' };
  return moveWith(order, paymentMoves.settle.from, change, also);
}

/** The order was given up, and its tickets with it: they are taken again, or the payment is due back. */
function completeLate(order: Order, signal: PaymentSignal, also: readonly Write[]): Promise<Order> {
  const now = Date.now();
  const { from } = paymentMoves.settleLate;
  const due = now + outboxMilliseconds;
  const change = { ...payment(signal, now), failureReason: undefined };
  return withEvent(order.eventId, async (event) => {
    try {
      if (event.status === 'CANCELLED')
        throw new DomainError('conflict', 'event-cancelled', 'Event cancelled');
      const seated = { ...change, holdsSeat: true, fulfilmentStatus: 'queued' };
      await reserveSeats(event, order, (shard) => [
        moveOrder(order.id, from, { ...seated, shard }, due),
        ...also,
      ]);
      return { ...order, ...seated } as Order;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'busy') throw error;
      count('RefundsDue');
      const refundDue = { ...change, fulfilmentStatus: 'refund-due', fulfilmentReason: error.code };
      return await moveWith(order, from, refundDue, also);
    }
  });
}

/** Moves an order that is to be fulfilled; alone by one write, or with others by a transaction. */
async function moveWith(
  order: Order,
  from: readonly PaymentStatus[],
  change: OrderChange,
  also: readonly Write[],
): Promise<Order> {
  const move = moveOrder(order.id, from, change, Date.now() + outboxMilliseconds);
  if (also.length === 0) return applyMove(move);
  await transact([move, ...also]);
  return { ...order, ...change } as Order;
}

/** Why a payment does not cover the order; undefined when it does. What the signal does not say is not checked. */
function shortfall(order: Order, { amount, currency }: PaymentSignal): string | undefined {
  if (currency !== undefined && currency !== order.currency) {
    return `Paid in ${currency}, but the order is in ${order.currency}`;
  }
  if (amount !== undefined && amount < order.totalAmount) {
    return `Paid ${amount}, but ${order.totalAmount} minor units of ${order.currency} are due`;
  }
  return undefined;
}

function payment(signal: PaymentSignal, now: number) {
  const at = new Date(now).toISOString();
  return {
    paymentStatus: paymentMoves.settle.to,
    paymentTxId: signal.transactionId,
    paidAmount: signal.amount,
    paymentReview: undefined,
    // Nobody is to pay twice; and without it the order stays below 1 KB, above which every write costs double.
    checkoutUrl: undefined,
    queuedAt: at,
    updatedAt: at,
  };
}

/** Leaves an order as it is, but says why a payment that came in did not complete it: a person must look. */
export async function holdForReview(order: Order, paymentReview: string): Promise<void> {
  log.warn('Payment under review', { orderId: order.id });
  count('PaymentsUnderReview');
  await applyMove(moveOrder(order.id, ['PENDING', 'FAILED'], { paymentReview }));
}
