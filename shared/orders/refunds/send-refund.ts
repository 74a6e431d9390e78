import { systemActor } from '../../audit/audit.ts';
import { openMilliseconds } from '../../breakers/breaker.ts';
import { BreakerOpen, callThroughBreaker } from '../../breakers/call-through-breaker.ts';
import { DomainError } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import type { RefundState } from '../../payments/gateway.ts';
import { configuredGateway } from '../../payments/gateways.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { backoff, lease, maximumAttempts } from '../../runtime/retry.ts';
import { type Order, type Refund, tenantOf } from '../order.ts';
import { getOrder, OrderTransitionRefused, writeOrder } from '../store.ts';
import { beginRefund } from './begin-refund.ts';
import { completeRefund } from './complete-refund.ts';
import { recordRefund } from './record-refund.ts';
import { restarted, transitionRefund } from './transition-refund.ts';

/** An order whose refund this worker has leased. */
type Refunding = Order & { refund: Refund };

/**
 * Advances the refund of an order: begins a refund that is due, then requests it from the gateway. A lease lets one of
 * several concurrent workers act: a gateway without idempotency keys is first asked for earlier refunds, which prevents
 * a second refund only while one worker asks.
 */
export async function sendRefund(orderId: string): Promise<void> {
  const order = await getOrder(orderId);
  try {
    const due = order.fulfilmentStatus === 'refund-due' ? await beginRefund(order) : order;
    if (due.refund?.status !== 'pending' || Date.parse(due.refund.dueAt) > Date.now()) return;
    const refund = { ...due.refund, attempts: due.refund.attempts + 1, dueAt: inFuture(lease) };
    const leased = { ...(await writeOrder(transitionRefund(due, 'attempt', refund))), refund };
    await conclude(leased, await askGateway(leased));
  } catch (error) {
    // Another worker leased it.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/** @returns `not-asked` while calls of the gateway are paused; undefined when it refused, or its result is unknown */
async function askGateway(order: Refunding): Promise<RefundState | 'not-asked' | undefined> {
  const { id: orderId, reference, currency, refund } = order;
  try {
    const gateway = order.gateway && (await configuredGateway(order.gateway));
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
    log.error('Refund has to wait', error, { orderId, attempts: refund.attempts });
    return undefined;
  }
}

async function conclude(order: Refunding, state: RefundState | 'not-asked' | undefined): Promise<void> {
  const { refund } = order;
  if (state === 'done') {
    await completeRefund(order);
    log.info('Order refunded', { orderId: order.id });
  } else if (state === 'pending') {
    // The gateway accepted it: earlier failures no longer count.
    await retryLater(order, { ...refund, attempts: 0, dueAt: inFuture(backoff(maximumAttempts)) });
  } else if (state === 'not-asked') {
    // This does not count as an attempt. Until the gateway recovers, the sweep queues only a few refunds at a time.
    const later = { ...refund, attempts: refund.attempts - 1, dueAt: inFuture(openMilliseconds) };
    await writeOrder(transitionRefund(order, 'attempt', later));
  } else if (refund.attempts < maximumAttempts) {
    await retryLater(order, { ...refund, dueAt: inFuture(backoff(refund.attempts)) });
  } else {
    const failed = restarted(refund, new Date().toISOString());
    const recorded = recordRefund('refund-failed', order, failed, systemActor);
    await transact([transitionRefund(order, 'giveUp', failed), recorded]);
    log.warn('Refund given up', { orderId: order.id });
    count('RefundsFailed');
  }
}

async function retryLater(order: Refunding, refund: Refund): Promise<void> {
  await writeOrder(transitionRefund(order, 'attempt', refund));
  await queueWhenDue({ orderId: order.id }, Date.parse(refund.dueAt), tenantOf(order));
}

function inFuture(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}
