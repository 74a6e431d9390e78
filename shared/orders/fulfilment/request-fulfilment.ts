import { type Actor, admin, authorize } from '../../accounts/auth/authorize.ts';
import { countAttempt } from '../../accounts/rate-limit.ts';
import type { Event } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { managerOf } from '../../catalog/staff/entitlements.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { expectUnchanged, transition } from '../../core/state-machine.ts';
import { keys } from '../../dynamo/keys.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { fulfilment } from '../lifecycle.ts';
import { type Order, wouldMintReturned, wouldReturnSeat } from '../order.ts';
import { tryQueueFulfilment } from '../settlement/settle-order.ts';
import { getOrder, OrderTransitionRefused, transitionOrder, writeOrder } from '../store.ts';

/** Limits the requests: each can cost a transaction on the chain. */
const requestLimit = {
  maximum: 5,
  windowSeconds: 24 * 60 * 60,
  message: 'Minting was retried five times today, please try again tomorrow',
};

/**
 * Queues an order to be minted again, e.g. once the buyer has a wallet or the contract was repaired. An order whose
 * tickets are minted or being minted does not change.
 * @throws DomainError 404 for callers other than the event's organizer, its managers and administrators, 409 when there
 * is nothing to mint, 429 after five requests for an order within a day
 */
export async function requestFulfilment(caller: Actor, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  const event = await getEvent(order.eventId);
  authorize(caller, [admin, await managerOf(event, caller)], notFound('Order'));
  if (order.paymentStatus !== 'COMPLETED' || order.fulfilmentStatus === 'refund-due') {
    throw conflict('nothing-to-fulfil', 'Only a paid order that has its seats can be fulfilled');
  }
  if (wouldReturnSeat(order, event)) {
    throw conflict(
      'nothing-to-fulfil',
      'A ticket of this order was transferred, so the order is no longer minted',
    );
  }
  if (wouldMintReturned(order, event) && !order.mintedAt)
    throw conflict(
      'nothing-to-fulfil',
      'Tickets of this order were returned, so the order is no longer minted',
    );
  await countAttempt(keys.attempts('FULFIL', orderId), requestLimit);
  const queuedOrder = await queueAgain(order);
  await tryQueueFulfilment(queuedOrder);
  return queuedOrder;
}

/** Queues an order again if its minting failed because the event's contract was not authorized. */
export async function retryUnauthorizedMint(order: Order, event: Event): Promise<void> {
  if (order.fulfilmentStatus !== 'failed' || order.fulfilmentReason !== 'contract-not-authorized') return;
  if (wouldReturnSeat(order, event) || wouldMintReturned(order, event)) return;
  const queuedOrder = await queueAgain(order);
  await tryQueueFulfilment(queuedOrder);
}

async function queueAgain(order: Order): Promise<Order> {
  const now = Date.now();
  const timestamp = new Date(now).toISOString();
  const requeueTransition = transition(fulfilment, 'requeue', { queuedAt: timestamp });
  try {
    return await writeOrder(
      transitionOrder(order.id, [requeueTransition], timestamp, {
        nextDueAt: now + outboxDelayMilliseconds,
        unchanged: expectUnchanged(order, 'refunds'),
      }),
    );
  } catch (error) {
    if (error instanceof OrderTransitionRefused) return error.current;
    throw error;
  }
}
