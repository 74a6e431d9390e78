import { type Actor, authorize, buyerOf } from '../../accounts/auth/authorize.ts';
import { prepareAnnouncement } from '../../accounts/factors/announce.ts';
import { getUser } from '../../accounts/users/store.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { absent, expectUnchanged, transition } from '../../core/state-machine.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { fulfilment } from '../lifecycle.ts';
import { type Order, walletOf, wouldMintReturned, wouldReturnSeat } from '../order.ts';
import { tryQueueFulfilment } from '../settlement/settle-order.ts';
import { changeOrder, getOrder, OrderTransitionRefused, transitionOrder } from '../store.ts';

/**
 * Sets the wallet of an order that has none. The tickets of a paid order are queued to be minted. The buyer is mailed in
 * an account. A repeated call returns the order again.
 * @throws DomainError 404 for callers other than the buyer; 409 for an order with another wallet, for one that failed or
 * was refunded, after a ticket was transferred where the token's owner is admitted, and with Retry-After while the
 * order is processed
 */
export async function setOrderWallet(
  caller: Actor & { sessionId?: string | undefined },
  orderId: string,
  wallet: string,
): Promise<Order> {
  const order = await getOrder(orderId);
  authorize(caller, [buyerOf(order)], notFound('Order'));
  const [event, buyer] = await Promise.all([getEvent(order.eventId), getUser(order.userId)]);
  const existingWallet = walletOf(order, buyer);
  if (existingWallet === wallet) return order;
  if (existingWallet !== null) throw conflict('wallet-set', 'This order has a wallet already');
  if (order.paymentStatus === 'FAILED') throw conflict('not-paid', 'The order was not paid');
  if (order.refund || order.fulfilmentStatus === 'refund-due')
    throw conflict('refunded', 'The order is refunded');
  if (wouldReturnSeat(order, event)) throw conflict('moved', 'A ticket of this order was transferred');
  if (wouldMintReturned(order, event))
    throw conflict('refunded', 'Tickets of this order were returned, so it is not minted');
  // Somebody else may have the session. A guest has no account, of which the mail tells.
  const announcement =
    caller.sessionId === undefined ? undefined : prepareAnnouncement(caller.userId, 'order-wallet-entered');
  try {
    await transact([walletWrite(order, wallet), ...(announcement?.writes ?? [])]);
    if (announcement) await queueMails([{ content: announcement.mail }]);
    const changedOrder = await getOrder(orderId);
    if (changedOrder.fulfilmentStatus === 'queued') await tryQueueFulfilment(changedOrder);
    return changedOrder;
  } catch (error) {
    if (error instanceof OrderTransitionRefused) throw inProgress();
    throw error;
  }
}

/** @throws DomainError 409 with Retry-After while a worker decides whether the order can be minted */
function walletWrite(order: Order, wallet: string): Write {
  const { id, paymentStatus, fulfilmentStatus } = order;
  const now = Date.now();
  const timestamp = new Date(now).toISOString();
  const unchanged = { wallet: absent, ...expectUnchanged(order, 'refunds') };
  if (paymentStatus === 'PENDING') {
    return changeOrder(id, { wallet, updatedAt: timestamp }, { unchanged: { ...unchanged, paymentStatus } });
  }
  if (fulfilmentStatus !== 'not-needed' && fulfilmentStatus !== 'failed') throw inProgress();
  const requeue = transition(fulfilment, 'requeue', { queuedAt: timestamp, wallet });
  return transitionOrder(id, [requeue], timestamp, { nextDueAt: now + outboxDelayMilliseconds, unchanged });
}

const inProgress = () => conflict('in-progress', 'The order is being processed, please try again', 2);
