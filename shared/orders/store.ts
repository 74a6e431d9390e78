import { conflict, notFound } from '../core/errors.ts';
import {
  absent,
  type Expected,
  expectUnchanged,
  type Transition,
  TransitionRefused,
} from '../core/state-machine.ts';
import { dueAttributes, eventOrderPartition, keys, partitions } from '../dynamo/keys.ts';
import { getItem, getItems, queryAll } from '../dynamo/read.ts';
import {
  type Condition,
  check,
  put,
  remove,
  toCondition,
  update,
  type Write,
  write,
} from '../dynamo/write.ts';
import { outboxDelayMilliseconds } from '../runtime/retry.ts';
import { formatItem, type Order, toOrder } from './order.ts';

/** An order with this id is stored already. */
export class OrderExists extends Error {
  readonly current: Order;
  constructor(current: Order) {
    super(`Order ${current.id} exists`);
    this.current = current;
  }
}

/** The order's state does not allow this change. */
export class OrderTransitionRefused extends TransitionRefused<Order> {}

/**
 * Inserts an order. Indexes list it for its buyer and its event, and for the sweep when its hold ends or, if it is
 * complete, when it should have been posted.
 * @throws OrderExists from the write
 */
export function insertOrder(order: Order): Write {
  const { paymentStatus, createdAt, expiresAt } = order;
  // English is the default.
  const { quantity, subtotal, discount, items, language, ...stored } = order;
  const dueAt =
    paymentStatus === 'COMPLETED' ? Date.parse(createdAt) + outboxDelayMilliseconds : Date.parse(expiresAt);
  return put(
    {
      ...keys.order(order.id),
      ...stored,
      items: items.map(formatItem),
      ...(language !== 'en' && { language }),
      ownerPk: partitions.userOrders(order.userId),
      ownerSk: order.id,
      eventPk: eventOrderPartition(order.eventId, order.id),
      eventSk: order.id,
      ...dueAttributes(order.id, dueAt),
    },
    { when: 'attribute_not_exists(#pk)', orThrow: (current) => new OrderExists(toOrder(current)) },
  );
}

/** Finds an order by a strongly consistent read; undefined when there is none. */
export async function findOrder(id: string): Promise<Order | undefined> {
  const item = await getItem(keys.order(id));
  return item && toOrder(item);
}

/** Finds several orders. Returns those that exist, in the sequence of the ids. */
export async function findOrders(ids: readonly string[]): Promise<Order[]> {
  const items = await getItems(ids.map(keys.order));
  return items.flatMap((item) => (item ? [toOrder(item)] : []));
}

/** Returns an order. @throws DomainError 404 for an unknown id */
export async function getOrder(id: string): Promise<Order> {
  const order = await findOrder(id);
  if (!order) throw notFound('Order');
  return order;
}

/** When the sweep queues the order again (epoch milliseconds); with `never` the sweep no longer finds it. */
export type NextDue = number | 'never';

/** The fields that change without a transition. Tickets and amounts of an order never change. */
export type OrderChange = Partial<
  Pick<
    Order,
    | 'wallet'
    | 'hasAnswers'
    | 'checkoutUrl'
    | 'checkoutSession'
    | 'description'
    | 'cryptoTxHash'
    | 'otherTxHashes'
    | 'cryptoTxAt'
    | 'otherPayments'
    | 'returnedExcess'
    | 'paymentReview'
    | 'declinedAt'
    | 'openDisputes'
    | 'wonDisputes'
    | 'network'
    | 'reportedReturn'
    | 'isPosted'
    | 'hasWebhooks'
    | 'isCredited'
    | 'invoice'
    | 'settlementBatch'
    | 'refunds'
    | 'returned'
    | 'listings'
    | 'backedBy'
    | 'mintAfter'
    | 'unbatched'
    | 'updatedAt'
  >
>;

interface UpdateOptions {
  /** Unchanged when absent. */
  nextDueAt?: NextDue;
  /** The values that the decision was based on; the write is refused when they have changed. */
  unchanged?: Expected<Order & { dueAt?: string }>;
}

/**
 * Returns the write of one or more transitions of an order (see lifecycle.ts).
 * @param timestamp the time of the change, ISO 8601 in UTC
 * @throws OrderTransitionRefused from the write; DomainError 404 when there is no such order
 */
export function transitionOrder(
  id: string,
  transitions: readonly Transition<Order>[],
  timestamp: string,
  { change, ...options }: UpdateOptions & { change?: OrderChange } = {},
): Write {
  const set = Object.assign({}, ...transitions.map((transition) => transition.set), change, {
    updatedAt: timestamp,
  });
  return updateWrite(id, transitions, set, options);
}

/** Changes fields of an order, but not its states. @throws as `transitionOrder` */
export function changeOrder(
  id: string,
  change: OrderChange,
  options: UpdateOptions & Required<Pick<UpdateOptions, 'unchanged'>>,
): Write {
  return updateWrite(id, [], change, options);
}

/**
 * Counts an admission or a transfer of one of the order's seats. It fails when the order no
 * longer has the seat. Refunds and reissues read the counters.
 * @throws OrderTransitionRefused from the transaction; DomainError 404 when there is no such order
 */
export function incrementSeatCounter(
  { orderId, number }: SeatReference,
  counter: 'admitted' | 'transferred',
  unchanged: Expected<Order> = {},
): Write {
  return update(keys.order(orderId), { add: { [counter]: 1 } }, whileHeld(number, unchanged));
}

/** Returns a check that an order still has a seat. @throws as `incrementSeatCounter` */
export function requireSeat({ orderId, number }: SeatReference): Write {
  return check(keys.order(orderId), whileHeld(number));
}

function whileHeld(number: number, unchanged: Expected<Order> = {}): Condition {
  const expectedState = { paymentStatus: 'COMPLETED', holdsInventory: true, refund: absent } as const;
  const condition = conditionFor([], { ...expectedState, ...unchanged });
  return {
    ...condition,
    when: `${condition.when} AND NOT contains(#returned, :number)`,
    values: { ...condition.values, number },
  };
}

/**
 * Takes back the count of an admission, and counts that it was undone. Write it in the transaction that undoes the admission
 * of one of its seats.
 */
export function decrementAdmitted(orderId: string): Write {
  return update(keys.order(orderId), { add: { admitted: -1, admissionsUndone: 1 } });
}

/** A seat of an order. */
interface SeatReference {
  orderId: string;
  number: number;
}

/**
 * Returns the write that makes an order's partial refund due, so that the sweep queues it. It has an item of its own,
 * since the order may be due to be minted.
 * @param dueAt epoch milliseconds; `never` when no partial refund is pending
 */
export function scheduleRefund({ id: orderId, eventId, gateway }: Order, dueAt: NextDue): Write {
  const key = keys.refundTask(orderId);
  if (dueAt === 'never') return remove(key);
  return put({ ...key, orderId, eventId, gateway, ...dueAttributes(orderId, dueAt) });
}

function updateWrite(
  id: string,
  transitions: readonly Transition<Order>[],
  set: Partial<Order>,
  { nextDueAt, unchanged }: UpdateOptions,
): Write {
  return update(
    keys.order(id),
    { set: { ...set, ...dueFields(id, nextDueAt) } },
    conditionFor(transitions, unchanged),
  );
}

function conditionFor(
  transitions: readonly Transition<Order>[],
  unchanged: UpdateOptions['unchanged'],
): Condition {
  return {
    ...toCondition<Order & { dueAt?: string }>(transitions, unchanged),
    orThrow: (current) => (current ? transitionRefused(toOrder(current)) : notFound('Order')),
  };
}

function dueFields(id: string, nextDueAt: NextDue | undefined) {
  if (nextDueAt === undefined) return {};
  return nextDueAt === 'never' ? { duePk: undefined, dueAt: undefined } : dueAttributes(id, nextDueAt);
}

function transitionRefused(order: Order): OrderTransitionRefused {
  const { id, paymentStatus, fulfilmentStatus } = order;
  return new OrderTransitionRefused(`Order ${id} is ${paymentStatus} and ${fulfilmentStatus}`, order);
}

/** Writes a change of one order outside a transaction. @returns the changed order @throws OrderTransitionRefused */
export async function writeOrder(change: Write): Promise<Order> {
  return toOrder(await write(change));
}

/** How many open crypto orders a user may have. For each of them, workers query the chain for hours. */
const maximumCryptoOrders = 5;

/**
 * Counts an open crypto order; no write for other orders.
 * @throws DomainError 409 from the transaction, when the user has the maximum number of them
 */
export function countOpenCryptoOrder({ userId, countedOpen }: Order): Write[] {
  if (!countedOpen?.includes('crypto')) return [];
  const condition = {
    when: 'attribute_not_exists(#open) OR #open < :maximum',
    values: { maximum: maximumCryptoOrders },
    orThrow: () => conflict('too-many-open-orders', 'Pay or cancel your other orders first'),
  };
  return [update(keys.openCrypto(userId), { add: { open: 1 } }, condition)];
}

/** Removes a crypto order from the count; no write for orders that were not counted. */
export function uncountOpenCryptoOrder({ userId, countedOpen }: Order): Write[] {
  return countedOpen?.includes('crypto') ? [update(keys.openCrypto(userId), { add: { open: -1 } })] : [];
}

/** The chain transaction pays another order already. */
export class ChainPaymentTaken extends Error {}

/**
 * Binds a chain payment to an order permanently.
 * @throws ChainPaymentTaken from the transaction
 */
export function claimChainPayment(chainId: number, hash: string, orderId: string): Write {
  return put(
    { ...keys.chainPayment(chainId, hash), orderId },
    {
      when: 'attribute_not_exists(#pk) OR #orderId = :orderId',
      values: { orderId },
      orThrow: () => new ChainPaymentTaken(),
    },
  );
}

/** Reads all orders of a buyer, newest first. @param to the id of the first one; absent for the newest */
export async function* queryBuyerOrders(userId: string, to?: string): AsyncGenerator<Order> {
  const source = { index: 'byOwner', partition: partitions.userOrders(userId), ...(to && { to }) } as const;
  for await (const item of queryAll(source)) yield toOrder(item);
}

/**
 * Returns the write that removes the customer's name, e-mail address and its hash, and wallet from an order. From then on
 * the user's id counts its tickets: write it together with `recountPurchase`.
 * @throws OrderTransitionRefused from the transaction, after a concurrent change
 */
export function eraseCustomer(order: Order): Write {
  const erased = {
    customerName: '',
    customerEmail: '',
    wallet: undefined,
    network: undefined,
    buyer: order.userId,
  };
  const unchanged = expectUnchanged(order, 'buyer', 'holdsInventory', 'paymentStatus', 'returned');
  return update(keys.order(order.id), { set: erased }, conditionFor([], unchanged));
}
