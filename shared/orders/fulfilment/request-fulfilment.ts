import { type Actor, admin, authorize, organizerOf } from '../../auth/authorize.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { getEvent } from '../../events/store.ts';
import type { Order } from '../order.ts';
import { outboxMilliseconds, queueFulfilment } from '../settlement/settle.ts';
import { applyMove, getOrder, moveOrder, OrderMoved } from '../store.ts';

/**
 * Queues minting again, e.g. once the buyer has a wallet or the contract was mended. An order whose tickets are
 * minted, or on their way, is left as it is.
 * @throws DomainError 404 for others than the event's organizer and administrators, 409 when there is nothing to mint
 */
export async function requestFulfilment(caller: Actor, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  const event = await getEvent(order.eventId);
  authorize(caller, [organizerOf(event), admin], notFound('Order'));
  if (order.paymentStatus !== 'COMPLETED' || order.fulfilmentStatus === 'refund-due') {
    throw conflict('nothing-to-fulfil', 'Only a paid order that has its seats can be fulfilled');
  }
  const queued = await queueAgain(order);
  await queueFulfilment(queued);
  return queued;
}

async function queueAgain(order: Order): Promise<Order> {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const change = { fulfilmentStatus: 'queued', fulfilmentReason: undefined, queuedAt: at, updatedAt: at };
  const stuck = {
    when: '#fulfilmentStatus IN (:failed, :notNeeded)',
    values: { failed: 'failed', notNeeded: 'not-needed' },
  };
  try {
    return await applyMove(moveOrder(order.id, ['COMPLETED'], change, now + outboxMilliseconds, stuck));
  } catch (error) {
    if (error instanceof OrderMoved) return error.current;
    throw error;
  }
}
