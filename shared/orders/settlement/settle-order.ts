import { type Code, toRedemption } from '../../codes/code.ts';
import { countUse, findCode } from '../../codes/store.ts';
import { DomainError } from '../../core/errors.ts';
import { applyTransitions, type Transition, transition } from '../../core/state-machine.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import type { Event } from '../../events/event.ts';
import { uncountOpenOrder } from '../../inventory/store.ts';
import { withOrderCurrency } from '../../payments/amounts.ts';
import type { GatewayName, PaymentSignal } from '../../payments/gateway.ts';
import { log } from '../../runtime/log.ts';
import { incrementCounter } from '../../runtime/metrics.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { uncountOpenCrypto } from '../checkout/open-orders.ts';
import { releaseSeats, reserveSeats, withEvent } from '../checkout/reserve-tickets.ts';
import { fulfilment, payment } from '../lifecycle.ts';
import { type FailureReason, type Order, orderIdOf, tenantOf } from '../order.ts';
import {
  changeOrder,
  findOrder,
  type NextDue,
  OrderTransitionRefused,
  transitionOrder,
  writeOrder,
} from '../store.ts';

/** How long the sweep waits before it sends an order's message again, in milliseconds. */
export const outboxDelayMilliseconds = 60_000;

export type SettlementResult = 'unknown' | 'completed' | 'repeated' | 'under-review';

/** Finds the order of a gateway's reference; undefined when the gateway has no such order. */
export async function findPaidOrder(
  gateway: GatewayName | undefined,
  reference: string,
): Promise<Order | undefined> {
  const id = orderIdOf(reference);
  const order = id === undefined ? undefined : await findOrder(id);
  return order?.reference === reference && order.gateway === gateway ? order : undefined;
}

/**
 * Settles a confirmed payment: the only path to COMPLETED, for webhooks, crypto, free orders and the sweep. One
 * conditional write completes the order and makes it due for fulfilment; then its message is sent. When sending fails
 * this throws, the order stays due, and the next delivery or the sweep sends the message.
 * @param otherWrites other writes of the same transaction; when one is refused, the order does not complete
 * @throws what `also` refuses
 */
export async function settle(
  order: Order,
  reported: PaymentSignal,
  otherWrites: readonly Write[] = [],
): Promise<SettlementResult> {
  if (order.paymentStatus === 'COMPLETED') return acknowledgeRepeated(order, reported);
  const signal = withOrderCurrency(order, reported);
  const review = shortfallReason(order, signal);
  if (review) {
    await holdForReview(order, review);
    return 'under-review';
  }
  try {
    const completed = await (order.paymentStatus === 'PENDING'
      ? complete(order, signal, otherWrites)
      : completeLate(order, signal, otherWrites));
    log.info('Order completed', { orderId: order.id, fulfilment: completed.fulfilmentStatus });
    incrementCounter('OrdersCompleted');
    await queueFulfilment(completed);
    return 'completed';
  } catch (error) {
    // The order changed between the read and the write: the current one decides.
    if (error instanceof OrderTransitionRefused) return settle(error.current, signal, otherWrites);
    throw error;
  }
}

/** Sends a completed order to the worker; safe to repeat. */
export async function queueFulfilment(order: Order): Promise<void> {
  const { id: orderId, eventId, userId } = order;
  await sendMessage('fulfil', { orderId, eventId, userId }, { tenant: tenantOf(order) });
}

async function acknowledgeRepeated(
  order: Order,
  { transactionId }: PaymentSignal,
): Promise<SettlementResult> {
  if (transactionId !== order.paymentTxId) {
    // The order does not change, but the buyer seems to have paid twice.
    log.warn('Second payment for an order', { orderId: order.id });
    incrementCounter('PaymentsUnderReview');
  }
  if (!order.isBooked) await queueFulfilment(order);
  return 'repeated';
}

function complete(order: Order, signal: PaymentSignal, otherWrites: readonly Write[]): Promise<Order> {
  const at = new Date().toISOString();
  const settled = transition(payment, 'settle', paymentFields(signal, at));
  return writeTransitions(order, [settled, transition(fulfilment, 'queue')], at, [
    ...otherWrites,
    ...uncountWrites(order),
  ]);
}

/**
 * Returns the writes that end the count of an open order. There are none while open orders are unlimited, so that a
 * single write completes the order.
 */
function uncountWrites(order: Order): Write[] {
  return [
    ...(order.countedOpen?.includes('event') ? [uncountOpenOrder(order)] : []),
    ...uncountOpenCrypto(order),
  ];
}

/**
 * Completes an order whose tickets were released: they are reserved again, or the payment is due for a refund. Its
 * price does not change: if the code was used up before the payment, the order still counts, beyond its limits.
 */
function completeLate(order: Order, signal: PaymentSignal, otherWrites: readonly Write[]): Promise<Order> {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const fields = paymentFields(signal, at);
  return withEvent(order.eventId, async (event) => {
    try {
      if (event.status === 'CANCELLED')
        throw new DomainError('conflict', 'event-cancelled', 'Event cancelled');
      const queued = transition(fulfilment, 'queue');
      const { redemption } = order;
      const code = redemption && (await findCountingCode(event, order, redemption.code));
      const reserve = async (isOverrun = false) => {
        const seated = (shard?: number) =>
          transition(payment, 'settleLate', {
            ...fields,
            holdsSeat: true,
            ...(shard !== undefined && { shard }),
            ...(redemption && { redemption: toRedemption(redemption, code, isOverrun) }),
          });
        await reserveSeats(event, order, (shard) => [
          transitionOrder(order.id, [seated(shard), queued], at, {
            nextDueAt: now + outboxDelayMilliseconds,
          }),
          ...otherWrites,
          ...(code ? countUse(code, order.discount ?? 0n, order.currency, isOverrun) : []),
        ]);
        return applyTransitions({ ...order, updatedAt: at }, seated(), queued);
      };
      return await reserve().catch(async (error) => {
        if (!(error instanceof DomainError && error.code === 'code-used-up')) throw error;
        const completed = await reserve(true);
        incrementCounter('CodeOverruns');
        return completed;
      });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'busy') throw error;
      incrementCounter('RefundsDue');
      const settled = transition(payment, 'settleLate', fields);
      const refused = transition(fulfilment, 'refuse', { fulfilmentReason: error.code });
      return await writeTransitions(order, [settled, refused], at, otherWrites);
    }
  });
}

/**
 * Finds the current code of an order; undefined when the event's currency has changed, since the code does not count
 * such orders.
 */
async function findCountingCode(event: Event, order: Order, text: string): Promise<Code | undefined> {
  return order.currency === event.currency ? findCode(event.id, text) : undefined;
}

/** Writes an order that is due for fulfilment: by a single write, or with other writes in a transaction. */
async function writeTransitions(
  order: Order,
  transitions: readonly Transition<Order>[],
  at: string,
  otherWrites: readonly Write[],
): Promise<Order> {
  const change = transitionOrder(order.id, transitions, at, {
    nextDueAt: Date.now() + outboxDelayMilliseconds,
  });
  if (otherWrites.length === 0) return writeOrder(change);
  await transact([change, ...otherWrites]);
  return applyTransitions({ ...order, updatedAt: at }, ...transitions);
}

/**
 * Explains why a payment does not cover the order; undefined when it does. Fields that the signal omits are not
 * checked.
 */
function shortfallReason(order: Order, { amount, currency }: PaymentSignal): string | undefined {
  if (currency !== undefined && currency !== order.currency) {
    return `Paid in ${currency}, but the order is in ${order.currency}`;
  }
  if (amount !== undefined && amount < order.totalAmount) {
    return `Paid ${amount}, but ${order.totalAmount} minor units of ${order.currency} are due`;
  }
  return undefined;
}

function paymentFields({ transactionId, amount }: PaymentSignal, at: string) {
  return { paymentTxId: transactionId, paidAmount: amount, queuedAt: at };
}

/** Records on an unpaid order why a payment did not complete it, for review by an operator. */
export async function holdForReview(order: Order, paymentReview: string): Promise<void> {
  log.warn('Payment under review', { orderId: order.id });
  incrementCounter('PaymentsUnderReview');
  await writeOrder(
    changeOrder(order.id, { paymentReview }, { unchanged: { paymentStatus: ['PENDING', 'FAILED'] } }),
  );
}

/**
 * Fails a PENDING order and releases its tickets, once. Does not change any other order.
 * @param nextDueAt when to check whether it was paid nevertheless; `never` once that is known
 * @returns the current order
 */
export async function failOrder(
  order: Order,
  failureReason: FailureReason,
  nextDueAt: NextDue,
): Promise<Order> {
  if (order.paymentStatus !== 'PENDING') return order;
  const failed = transition(payment, 'fail', { failureReason, holdsSeat: false });
  const at = new Date().toISOString();
  try {
    const change = transitionOrder(order.id, [failed], at, { nextDueAt });
    await releaseSeats(order, change, ...uncountOpenCrypto(order));
    return applyTransitions({ ...order, updatedAt: at }, failed);
  } catch (error) {
    if (error instanceof OrderTransitionRefused) return error.current;
    throw error;
  }
}
