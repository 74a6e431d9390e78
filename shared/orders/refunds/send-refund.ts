import { DomainError } from '../../core/errors.ts';
import type { RefundState } from '../../payments/gateway.ts';
import { configuredGateway } from '../../payments/gateways.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { backoff, lease, maximumAttempts } from '../../runtime/retry.ts';
import type { Order } from '../order.ts';
import { applyMove, getOrder, OrderMoved } from '../store.ts';
import { beginRefund } from './begin-refund.ts';
import { changeRefund } from './change-refund.ts';
import { completeRefund } from './complete-refund.ts';
import { moved, type Refund } from './refund.ts';

/** An order of which somebody has the refund to themselves. */
type Refunding = Order & { refund: Refund };

/**
 * Takes the refund of an order one step on: begins it where one is due, then has the gateway send the money back.
 * Any number of workers may try at once: one of them has it to itself for the time of a lease, since a gateway
 * without idempotency keys can be asked what it did before, but not by two at once.
 */
export async function sendRefund(orderId: string): Promise<void> {
  const order = await getOrder(orderId);
  try {
    const due = order.fulfilmentStatus === 'refund-due' ? await beginRefund(order) : order;
    if (due.refund?.status !== 'pending' || Date.parse(due.refund.dueAt) > Date.now()) return;
    const refund = { ...due.refund, attempts: due.refund.attempts + 1, dueAt: inFuture(lease) };
    const ours = { ...(await applyMove(changeRefund(due, refund))), refund };
    await conclude(ours, await askGateway(ours));
  } catch (error) {
    // Another worker has it: it is where it belongs.
    if (!(error instanceof OrderMoved)) throw error;
  }
}

/** @returns undefined when the gateway refused, or nobody knows what it did */
async function askGateway(order: Refunding): Promise<RefundState | undefined> {
  const { id: orderId, reference, currency, refund } = order;
  try {
    const gateway = order.gateway && (await configuredGateway(order.gateway));
    if (!gateway)
      throw new DomainError('unavailable', 'gateway-not-configured', `${order.gateway} is not configured`);
    return await gateway.refund({
      transactionId: order.paymentTxId ?? '',
      reference,
      amount: refund.amount,
      currency,
      idempotencyKey: `refund-${orderId}`,
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log.error('Refund has to wait', error, { orderId, attempts: refund.attempts });
    return undefined;
  }
}

async function conclude(order: Refunding, state: RefundState | undefined): Promise<void> {
  const { refund } = order;
  if (state === 'done') {
    await completeRefund(order);
    log.info('Order refunded', { orderId: order.id });
  } else if (state === 'pending') {
    // The gateway has it: what went wrong before does not count any more.
    await askLater(order, { ...refund, attempts: 0, dueAt: inFuture(backoff(maximumAttempts)) });
  } else if (refund.attempts < maximumAttempts) {
    await askLater(order, { ...refund, dueAt: inFuture(backoff(refund.attempts)) });
  } else {
    await applyMove(changeRefund(order, moved(refund, 'giveUp', new Date().toISOString())));
    log.warn('Refund given up', { orderId: order.id });
    count('RefundsFailed');
  }
}

async function askLater(order: Refunding, refund: Refund): Promise<void> {
  await applyMove(changeRefund(order, refund));
  await queueWhenDue({ orderId: order.id }, Date.parse(refund.dueAt));
}

function inFuture(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}
