import { systemActor } from '../../accounts/audit/audit.ts';
import { DomainError } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import { BreakerOpen, breakerOpenMilliseconds, callThroughBreaker } from '../../payments/breaker.ts';
import type { RefundState } from '../../payments/gateway.ts';
import { findConfiguredGateway } from '../../payments/gateways.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { backoffMilliseconds, leaseMilliseconds, maximumAttempts } from '../../runtime/retry.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { type Order, type Refund, tenantOf } from '../order.ts';
import { getOrder, OrderTransitionRefused, writeOrder } from '../store.ts';
import {
  beginRefund,
  completeRefund,
  insertRefundAudit,
  resetAttempts,
  transitionRefund,
} from './refund-order.ts';

/** An order whose refund this worker has leased. */
type LeasedOrder = Order & { refund: Refund };

/**
 * Advances the refund of an order: begins a refund that is due, then requests it from the gateway. A lease ensures that
 * only one of several concurrent workers acts. Gateways without idempotency keys need it: their adapters query for an
 * earlier refund first, which prevents a second refund only when no other worker requests one meanwhile.
 */
export async function sendRefund(orderId: string): Promise<void> {
  const order = await getOrder(orderId);
  try {
    const currentOrder = order.fulfilmentStatus === 'refund-due' ? await beginRefund(order) : order;
    if (currentOrder.refund?.status !== 'pending' || Date.parse(currentOrder.refund.dueAt) > Date.now())
      return;
    const refund = {
      ...currentOrder.refund,
      attempts: currentOrder.refund.attempts + 1,
      dueAt: timeFromNow(leaseMilliseconds),
    };
    const leasedOrder = { ...(await writeOrder(transitionRefund(currentOrder, 'attempt', refund))), refund };
    await applyRefundState(leasedOrder, await requestFromGateway(leasedOrder));
  } catch (error) {
    // Another worker leased the refund.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/**
 * Requests the refund.
 * @returns `not-asked` while the circuit breaker is open; undefined when the gateway refused the refund or its result
 * is unknown
 */
async function requestFromGateway(order: LeasedOrder): Promise<RefundState | 'not-asked' | undefined> {
  const { id: orderId, reference, currency, refund } = order;
  try {
    const gateway = order.gateway && (await findConfiguredGateway(order.gateway));
    if (!gateway)
      throw new DomainError('unavailable', 'gateway-not-configured', `${order.gateway} is not configured`);
    return await callThroughBreaker(gateway.name, () =>
      gateway.refund({
        transactionId: order.paymentTxId ?? '',
        reference,
        amount: refund.amount,
        currency,
        idempotencyKey: `refund-${orderId}`,
        // The time of the lease is unique to the attempt.
        attempt: String(Date.parse(refund.dueAt)),
      }),
    );
  } catch (error) {
    if (error instanceof BreakerOpen) return 'not-asked';
    if (!(error instanceof DomainError)) throw error;
    log.error('Refund request failed', error, { orderId, attempts: refund.attempts });
    return undefined;
  }
}

async function applyRefundState(
  order: LeasedOrder,
  state: RefundState | 'not-asked' | undefined,
): Promise<void> {
  const { refund } = order;
  if (state === 'done') {
    await completeRefund(order);
    log.info('Order refunded', { orderId: order.id });
  } else if (state === 'pending') {
    // The gateway accepted the refund: earlier failures no longer count.
    await retryLater(order, {
      ...refund,
      attempts: 0,
      dueAt: timeFromNow(backoffMilliseconds(maximumAttempts)),
    });
  } else if (state === 'not-asked') {
    // This does not count as an attempt.
    const postponedRefund = {
      ...refund,
      attempts: refund.attempts - 1,
      dueAt: timeFromNow(breakerOpenMilliseconds),
    };
    await writeOrder(transitionRefund(order, 'attempt', postponedRefund));
  } else if (refund.attempts < maximumAttempts) {
    await retryLater(order, { ...refund, dueAt: timeFromNow(backoffMilliseconds(refund.attempts)) });
  } else {
    const failedRefund = resetAttempts(refund, new Date().toISOString());
    const auditWrite = insertRefundAudit('refund-failed', order, failedRefund, systemActor);
    await transact([transitionRefund(order, 'giveUp', failedRefund), auditWrite]);
    log.warn('Refund given up', { orderId: order.id });
    incrementCounter('RefundsFailed');
  }
}

async function retryLater(order: LeasedOrder, refund: Refund): Promise<void> {
  await writeOrder(transitionRefund(order, 'attempt', refund));
  await queueWhenDue({ type: 'send-refund', orderId: order.id }, Date.parse(refund.dueAt), tenantOf(order));
}

function timeFromNow(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}
