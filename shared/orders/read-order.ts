import { authorize, buyerOf } from '../accounts/auth/authorize.ts';
import { getEvent } from '../catalog/events/store.ts';
import { managerOf } from '../catalog/staff/entitlements.ts';
import { notFound } from '../core/errors.ts';
import { partitions } from '../dynamo/keys.ts';
import { type PageQuery, queryPage } from '../dynamo/query.ts';
import { type Order, toOrder } from './order.ts';
import { getOrder } from './store.ts';

/** Returns an order to its buyer or to the event's organizer and managers. @throws DomainError 404 for other callers */
export async function readOrder(userId: string, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  const isBuyer = buyerOf(order)({ userId });
  if (isBuyer) return order;
  authorize({ userId }, [await managerOf(await getEvent(order.eventId), { userId })], notFound('Order'));
  return order;
}

/** Lists a page of a user's own orders, newest first. */
export async function listOrders(userId: string, query: PageQuery) {
  const { items, nextCursor } = await queryPage(
    { index: 'byOwner', partition: partitions.userOrders(userId) },
    query,
  );
  return { orders: items.map(toOrder), nextCursor };
}
