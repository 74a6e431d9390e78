import { toUser, type User } from '../../accounts/users/user.ts';
import { recordDoorChange } from '../../catalog/door/changes.ts';
import { type Event, latestEndOf, toEvent } from '../../catalog/events/event.ts';
import { absent, expectUnchanged, transition } from '../../core/state-machine.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItems } from '../../dynamo/read.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { type Notification, putNotification } from '../../messaging/notifications/store.ts';
import { insertMail, queueMails } from '../../messaging/outbox/store.ts';
import { prepareOccurrences } from '../../messaging/webhooks/store.ts';
import {
  disputeEntry,
  type LedgerEntry,
  netOf,
  type SoldOrder,
  saleCreditEntry,
  type UpcomingEarnings,
} from '../../money/ledger/ledger.ts';
import {
  addUpcomingEarnings,
  InvoiceNumbers,
  InvoiceNumbersChanged,
  postEntries,
  readUpcomingEarnings,
  UpcomingEarningsChanged,
} from '../../money/ledger/store.ts';
import { optionalSetting } from '../../runtime/config.ts';
import type { Message } from '../../runtime/messages.ts';
import { sendMessages } from '../../runtime/queue.ts';
import { outboxDelayMilliseconds, retry } from '../../runtime/retry.ts';
import { log } from '../../runtime/telemetry.ts';
import { fulfilment } from '../lifecycle.ts';
import { purchaseMail, purchaseNotification } from '../notifications.ts';
import { isInvoiced, type Order, tenantOf, toOrder, toSoldOrder, walletOf } from '../order.ts';
import { changeOrder, OrderTransitionRefused, transitionOrder, writeOrder } from '../store.ts';
import { orderOccurrence } from '../views.ts';

type PaidOrder = Omit<Message<'fulfil-order'>, 'type'>;

/**
 * Fulfils paid orders: notifies and mails the buyers, posts the orders to the ledger, and queues orders to be minted
 * where there is a wallet and a contract. Safe to repeat and to run concurrently.
 * @returns the indexes of the messages to deliver again
 * @throws when the table can't be read or the mint queue fails; all messages are then delivered again
 */
export async function fulfilOrders(messages: readonly PaidOrder[]): Promise<number[]> {
  const { paid: paidOrders = [], unpaid: unpaidOrders = [] } = Object.groupBy(
    await readOrderContexts(messages),
    ({ order }) => (order.paymentStatus === 'COMPLETED' ? 'paid' : 'unpaid'),
  );
  for (const { order } of unpaidOrders) log.warn('Order to fulfil is not paid', { orderId: order.id });
  const postedOrders = (await Promise.all(groupByBalance(paidOrders).map(postOrders))).flat();
  await sendMessages(
    'mint-tickets',
    postedOrders
      .filter(needsMinting)
      .map(({ order }) => ({ message: { type: 'mint-order', orderId: order.id }, tenant: tenantOf(order) })),
  );
  await queueMails(
    postedOrders.map(({ order }) => ({ content: purchaseMail(order), eventId: order.eventId })),
  );
  const doneIds = new Set([...postedOrders, ...unpaidOrders].map(({ order }) => order.id));
  return messages.flatMap(({ orderId }, index) => (doneIds.has(orderId) ? [] : [index]));
}

/** Reads the orders, events and buyers of the messages, each order once, in one request. */
async function readOrderContexts(messages: readonly PaidOrder[]): Promise<OrderContext[]> {
  const uniqueMessages = [...new Map(messages.map((message) => [message.orderId, message])).values()];
  const items = await getItems(
    uniqueMessages.flatMap(({ orderId, eventId, userId }) => [
      keys.order(orderId),
      keys.event(eventId),
      keys.user(userId),
    ]),
  );
  return uniqueMessages.flatMap(({ orderId }, index) => {
    const [order, event, buyer] = items.slice(3 * index, 3 * index + 3);
    if (order && event && buyer) {
      return [{ order: toOrder(order), event: toEvent(event), buyer: toUser(buyer) }];
    }
    log.error('Nothing to fulfil', new Error('The order, its event or its buyer is missing'), { orderId });
    return [];
  });
}

/** Groups orders by organizer and currency. */
function groupByBalance(orders: readonly OrderContext[]): OrderContext[][] {
  const groups = Map.groupBy(orders, ({ order, event }) => `${event.organizerId} ${order.currency}`);
  return [...groups.values()];
}

/** An order with its event and its buyer. */
export interface OrderContext {
  order: Order;
  event: Event;
  buyer: User;
}

/** Returns whether the order's tickets can be minted and are not minted yet. */
export function needsMinting({ order, event, buyer }: OrderContext): boolean {
  return (
    order.fulfilmentStatus === 'queued' && walletOf(order, buyer) !== null && event.contractAddress !== null
  );
}

/**
 * Notifies the buyers of paid orders, puts the mails into the outbox and posts the orders to the ledger. Each order is
 * posted at most once. One transaction posts all of them: separate transactions would conflict on the organizer's
 * balance. One entry credits all orders of an event.
 * @param paidOrders at most 10 different orders of one organizer in one currency
 * @returns the posted orders. The log has the errors of the others, whose messages are delivered again
 */
export async function postOrders(paidOrders: readonly OrderContext[]): Promise<OrderContext[]> {
  const { posted: postedOrders = [], unposted: unpostedOrders = [] } = Object.groupBy(
    paidOrders,
    ({ order }) => (order.isPosted ? 'posted' : 'unposted'),
  );
  const results = await Promise.all([postInOneTransaction(unpostedOrders), ...postedOrders.map(skipMinting)]);
  return results.flat();
}

async function postInOneTransaction(paidOrders: OrderContext[]): Promise<OrderContext[]> {
  if (paidOrders.length === 0) return [];
  try {
    await retry(() => transactPosting(paidOrders), {
      isRetryable: (error) =>
        error instanceof UpcomingEarningsChanged || error instanceof InvoiceNumbersChanged,
      exhaustedError: (error) => error as Error,
    });
    return paidOrders;
  } catch (error) {
    // One order can fail the whole transaction. Posted one by one, the other orders succeed.
    const isContended = error instanceof InvoiceNumbersChanged;
    if (paidOrders.length === 1 || isContended) return handlePostingError(paidOrders, error);
    return (await Promise.all(paidOrders.map((paidOrder) => postInOneTransaction([paidOrder])))).flat();
  }
}

/**
 * @throws UpcomingEarningsChanged when an event's earnings were unlocked after they were read; InvoiceNumbersChanged when
 * another transaction took the numbers of the invoices
 */
async function transactPosting(paidOrders: OrderContext[]): Promise<void> {
  const [credits, occurrences, invoices] = await Promise.all([
    prepareCredits(paidOrders),
    prepareCompleted(paidOrders),
    prepareInvoices(paidOrders),
  ]);
  await transact([
    ...paidOrders.map((paidOrder) => {
      const { id, eventId } = paidOrder.order;
      return postingWrite(paidOrder, credits.get(eventId)?.upcoming, invoices.numbers.get(id));
    }),
    ...invoices.writes,
    ...paidOrders.map((paidOrder) => putNotification(notificationOf(paidOrder))),
    ...paidOrders.flatMap(mailWrites),
    ...postEntries([...credits.values()].flatMap(({ entries }) => entries)),
    ...[...credits.values()].flatMap(upcomingWrites),
    ...doorWrites(paidOrders),
    ...occurrences.writes,
  ]);
  await occurrences.queue();
}

/** Tells the devices at the doors of the events. */
function doorWrites(paidOrders: OrderContext[]): Write[] {
  const timestamp = new Date().toISOString();
  return [...Map.groupBy(paidOrders, ({ order }) => order.eventId).values()].flatMap((ofEvent) => {
    const [{ event }] = ofEvent as [OrderContext];
    return recordDoorChange(event, { orderIds: ofEvent.map(({ order }) => order.id) }, timestamp);
  });
}

/** Prepares the webhooks about completed orders of one organizer. */
function prepareCompleted(paidOrders: OrderContext[]) {
  const reported = paidOrders.filter(({ event }) => event.hasWebhooks);
  const timestamp = new Date().toISOString();
  return prepareOccurrences(
    reported[0]?.event.organizerId ?? '',
    reported.length > 0,
    reported.map(({ order, event }) => orderOccurrence('order.completed', order, event, timestamp)),
  );
}

/** Numbers the invoices of orders of one organizer. An order that is due for a refund has none. */
async function prepareInvoices(paidOrders: readonly OrderContext[]) {
  const invoiced = paidOrders.filter((paidOrder) => isInvoiced(paidOrder.order) && earnsCredit(paidOrder));
  const sequence = new InvoiceNumbers(invoiced[0]?.event.organizerId ?? '');
  const first = await sequence.take(invoiced.length);
  return {
    writes: sequence.writes(),
    numbers: new Map(invoiced.map(({ order }, index) => [order.id, first + index])),
  };
}

/** Skips the minting of a posted order that was queued again and still can't be minted. */
async function skipMinting(paidOrder: OrderContext): Promise<OrderContext[]> {
  if (!isUnmintable(paidOrder)) return [paidOrder];
  const skipTransition = transition(fulfilment, 'skip');
  const change = transitionOrder(paidOrder.order.id, [skipTransition], new Date().toISOString(), {
    nextDueAt: 'never',
  });
  return writeOrder(change).then(
    () => [paidOrder],
    (error) => handlePostingError([paidOrder], error),
  );
}

/**
 * Returns the order when another worker has posted it, or has changed its state since: it then needs no posting. Logs
 * any other error and returns no order, so SQS delivers its message again.
 */
function handlePostingError(paidOrders: OrderContext[], error: unknown): OrderContext[] {
  if (error instanceof OrderTransitionRefused && error.current.isPosted) return paidOrders;
  log.error('Order could not be posted', error, { orderId: paidOrders[0]?.order.id });
  return [];
}

/** Puts an order's mail into the outbox. The sweep queues it when `fulfilOrders` could not. */
function mailWrites({ order }: OrderContext): Write[] {
  const dueAt = Date.now() + outboxDelayMilliseconds;
  const { userId, eventId } = order;
  return insertMail(purchaseMail(order), userId, { eventId, dueAt, isCounted: order.totalAmount > 0n });
}

/**
 * Marks an order as posted. Its condition prevents a second credit. The ledger entry's id does
 * not prevent it: two batches with the same order may use different ids.
 */
function postingWrite(
  paidOrder: OrderContext,
  upcoming: UpcomingEarnings | undefined,
  invoiceNumber: number | undefined,
): Write {
  const { order } = paidOrder;
  const timestamp = new Date().toISOString();
  const credit = { isCredited: true, ...(upcoming && { settlementBatch: upcoming.settlementBatch }) };
  const change = {
    isPosted: true,
    ...(earnsCredit(paidOrder) && credit),
    ...(paidOrder.event.hasWebhooks && { hasWebhooks: true }),
    ...(invoiceNumber !== undefined && { invoice: { number: invoiceNumber, at: timestamp } }),
  };
  const options = {
    nextDueAt:
      order.fulfilmentStatus === 'refund-due'
        ? Date.now()
        : needsMinting(paidOrder)
          ? undefined
          : ('never' as const),
    unchanged: {
      paymentStatus: 'COMPLETED' as const,
      fulfilmentStatus: order.fulfilmentStatus,
      isPosted: absent,
      ...expectUnchanged(order, 'openDisputes'),
    },
  };
  return isUnmintable(paidOrder)
    ? transitionOrder(order.id, [transition(fulfilment, 'skip')], timestamp, { change, ...options })
    : changeOrder(order.id, { ...change, updatedAt: timestamp }, options);
}

/** Returns whether a queued order's tickets can't be minted: its buyer has no wallet, or its event no contract. */
function isUnmintable(paidOrder: OrderContext): boolean {
  return paidOrder.order.fulfilmentStatus === 'queued' && !needsMinting(paidOrder);
}

/** The credit of one event's orders. `upcoming` is set when the credit becomes available after the event. */
interface Credit {
  event: Event;
  /** The credit, and what is reserved of it for disputed orders. */
  entries: LedgerEntry[];
  upcoming: UpcomingEarnings | undefined;
}

/**
 * Prepares the credits of the organizer: the net amounts, without the platform's fee. Each event has an entry of its
 * own, which the event's summary reads. With PAYOUTS_FROM=event the credits go to `upcoming`.
 * @returns the credits by event
 */
async function prepareCredits(paidOrders: readonly OrderContext[]): Promise<Map<string, Credit>> {
  const isPaidOutAfterEvent = optionalSetting('PAYOUTS_FROM') === 'event';
  const ordersByEvent = Map.groupBy(paidOrders.filter(earnsCredit), ({ order }) => order.eventId);
  const credits = [...ordersByEvent].map(async ([eventId, ordersOfEvent]) => {
    const [{ order, event }] = ordersOfEvent as [OrderContext, ...OrderContext[]];
    const owner = { organizerId: event.organizerId, currency: order.currency };
    const orders = ordersOfEvent.map(({ order }) => toSoldOrder(order)) as [SoldOrder, ...SoldOrder[]];
    const upcoming = isPaidOutAfterEvent ? await readUpcomingEarnings({ ...owner, eventId }) : undefined;
    const timestamp = new Date().toISOString();
    const account = isPaidOutAfterEvent ? 'upcoming' : 'available';
    const entries = [
      saleCreditEntry(owner, eventId, orders, timestamp, account),
      ...ordersOfEvent
        .filter(({ order }) => order.openDisputes)
        .map(({ order }) =>
          disputeEntry(owner, order.id, 'reserved', netOf(toSoldOrder(order)), timestamp, account),
        ),
    ];
    return [eventId, { event, entries, upcoming }] as const;
  });
  return new Map(await Promise.all(credits));
}

/**
 * Adds a credit to the event's upcoming earnings. After the event's end, the sweep makes it
 * available.
 */
function upcomingWrites({ event, entries, upcoming }: Credit): Write[] {
  const amount = entries.reduce((sum, { postings }) => sum + (postings.upcoming ?? 0n), 0n);
  return upcoming ? [addUpcomingEarnings(upcoming, amount, latestEndOf(event))] : [];
}

/** Returns whether posting credits the organizer. An order that is due for a refund is posted without a credit. */
function earnsCredit({ order }: OrderContext): boolean {
  return order.fulfilmentStatus !== 'refund-due';
}

function notificationOf({ order, event }: OrderContext): Notification {
  if (!order.queuedAt) throw new Error(`Order ${order.id} is paid, but not queued`);
  return purchaseNotification({ ...order, queuedAt: order.queuedAt }, event);
}
