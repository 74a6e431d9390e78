import { type Actor, admin, authorize, organizerOf } from '../../auth/authorize.ts';
import { notFound } from '../../core/errors.ts';
import { getEvent } from '../../events/store.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import type { Order } from '../order.ts';
import { applyMove, getOrder, OrderMoved } from '../store.ts';
import { beginRefund } from './begin-refund.ts';
import { changeRefund } from './change-refund.ts';
import { moved, type Refund } from './refund.ts';

/**
 * Gives a buyer their money back, once, however often it is asked for. One that failed is tried again.
 * @throws DomainError 404 for others than the event's organizer and administrators, 409 when nothing was paid
 */
export async function requestRefund(caller: Actor, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  const event = await getEvent(order.eventId);
  authorize(caller, [organizerOf(event), admin], notFound('Order'));
  const failed = order.refund?.status === 'failed' ? order.refund : undefined;
  const refunded = await (failed ? repeatRefund(order, failed) : beginRefund(order));
  if (refunded.refund?.status === 'pending')
    await queueWhenDue({ orderId }, Date.parse(refunded.refund.dueAt));
  return refunded;
}

async function repeatRefund(order: Order, failed: Refund): Promise<Order> {
  try {
    return await applyMove(changeRefund(order, moved(failed, 'repeat', new Date().toISOString())));
  } catch (error) {
    if (error instanceof OrderMoved) return error.current;
    throw error;
  }
}
