import { notFound } from '../core/errors.ts';
import { getItem, getItems, type Item } from '../dynamo/client.ts';
import { dueAt, keys, partitions } from '../dynamo/keys.ts';
import { put, update, type Write, write } from '../dynamo/write.ts';
import type { Order, OrderChange, PaymentStatus } from './order.ts';

/** The order is not in a state that this move starts from; `current` is how it stands. */
export class OrderMoved extends Error {
  readonly current: Order;
  constructor(current: Order) {
    super(`Order ${current.id} is ${current.paymentStatus}`);
    this.current = current;
  }
}

export function toOrder(item: Item): Order {
  const { pk, sk, ownerPk, ownerSk, eventPk, eventSk, duePk, dueAt: at, ...order } = item;
  return {
    ...order,
    subtotal: BigInt(item.subtotal),
    totalAmount: BigInt(item.totalAmount),
    ...(item.paidAmount !== undefined && { paidAmount: BigInt(item.paidAmount) }),
    ...(item.refund && { refund: { ...item.refund, amount: BigInt(item.refund.amount) } }),
  } as Order;
}

/** A new order, listed for its buyer and its event, and due when its hold ends. */
export function insertOrder(order: Order): Write {
  return put(
    {
      ...keys.order(order.id),
      ...order,
      ownerPk: partitions.userOrders(order.userId),
      ownerSk: order.id,
      eventPk: partitions.eventOrders(order.eventId),
      eventSk: order.id,
      ...dueAt(order.id, Date.parse(order.expiresAt)),
    },
    {
      when: 'attribute_not_exists(#pk)',
      refused: (current) => new OrderMoved(toOrder(current as Item)),
    },
  );
}

/** As the last write left it; undefined when there is none. */
export async function findOrder(id: string): Promise<Order | undefined> {
  const item = await getItem(keys.order(id));
  return item && toOrder(item);
}

/** Returns the orders that exist, in the order of their ids. */
export async function findOrders(ids: readonly string[]): Promise<Order[]> {
  const items = await getItems(ids.map(keys.order));
  return items.flatMap((item) => (item ? [toOrder(item)] : []));
}

/** @throws DomainError 404 */
export async function getOrder(id: string): Promise<Order> {
  const order = await findOrder(id);
  if (!order) throw notFound('Order');
  return order;
}

/** When the sweep has to look at the order again (epoch milliseconds); `never` takes it off the list. */
export type Due = number | 'never';

/**
 * A change of an order that may happen only from certain payment states, and optionally only while a further
 * condition holds.
 * @throws OrderMoved, here or from the transaction
 */
export function moveOrder(
  id: string,
  from: readonly PaymentStatus[],
  change: OrderChange,
  due?: Due,
  further?: { when: string; values?: Record<string, unknown> },
): Write {
  const states = Object.fromEntries(from.map((status, at) => [`from${at}`, status]));
  const dueChange =
    due === 'never' ? { duePk: undefined, dueAt: undefined } : due === undefined ? {} : dueAt(id, due);
  return update(
    keys.order(id),
    { set: { ...change, ...dueChange } },
    {
      when: `#paymentStatus IN (${Object.keys(states).map((name) => `:${name}`)})${further ? ` AND ${further.when}` : ''}`,
      values: { ...states, ...further?.values },
      refused: (current) => (current ? new OrderMoved(toOrder(current)) : notFound('Order')),
    },
  );
}

/** Does one move by itself. @returns the order after it @throws OrderMoved */
export async function applyMove(move: Write): Promise<Order> {
  return toOrder((await write(move)) as Item);
}

/** The transaction pays another order already. */
export class ChainPaymentTaken extends Error {}

/** Makes a transaction pay this order and no other, for ever. @throws ChainPaymentTaken, here or from the transaction */
export function claimChainPayment(chainId: number, hash: string, orderId: string): Write {
  return put(
    { ...keys.chainPayment(chainId, hash), orderId },
    {
      when: 'attribute_not_exists(#pk) OR #orderId = :orderId',
      values: { orderId },
      refused: () => new ChainPaymentTaken(),
    },
  );
}
