import { type Actor, authorize, buyerOf, ownIdsOf, owns } from '../accounts/auth/authorize.ts';
import { type Event, tierNameOf, toEvent } from '../catalog/events/event.ts';
import { getManagedEvent } from '../catalog/events/read-events.ts';
import { getEvent } from '../catalog/events/store.ts';
import { managerOf } from '../catalog/staff/entitlements.ts';
import { notFound } from '../core/errors.ts';
import { toNumber } from '../core/money.ts';
import { responseBytes } from '../core/response-size.ts';
import { type Cell, toCsv } from '../core/text.ts';
import { eventOrderPartitions, keys, partitions } from '../dynamo/keys.ts';
import { getItems, type PageQuery, queryPage } from '../dynamo/read.ts';
import { type Answer, formatAnswer } from './answers/answer.ts';
import { readAnswersOf } from './answers/store.ts';
import { numberItems, type Order, priceOfItem, toOrder } from './order.ts';
import { getOrder } from './store.ts';
import { type OrderView, toOrderView } from './views.ts';

/** Returns an order to its buyer or to the event's organizer and managers. @throws DomainError 404 for other callers */
export async function readOrder(caller: Actor, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  const isBuyer = buyerOf(order)(caller);
  if (isBuyer) return order;
  authorize(caller, [await managerOf(await getEvent(order.eventId), caller)], notFound('Order'));
  return order;
}

/** Lists a page of a user's own orders, newest first. */
export async function listOrders(caller: Actor, query: PageQuery) {
  const { items, nextCursor } = await queryPage(
    { index: 'byOwner', partition: ownIdsOf(caller).map(partitions.userOrders) },
    query,
  );
  return { orders: items.map(toOrder).filter((order) => owns(caller, order)), nextCursor };
}

/** Returns the views of orders, with the names of their events' tiers. */
export async function showOrders(orders: readonly Order[]) {
  const ids = [...new Set(orders.map(({ eventId }) => eventId))];
  const items = await getItems(ids.map(keys.event));
  const events = new Map(items.flatMap((item) => (item ? [[item.id, toEvent(item)] as const] : [])));
  return orders.map((order) => toOrderView(order, events.get(order.eventId)));
}

/** Returns the view of an order. */
export async function showOrder(order: Order): Promise<OrderView> {
  const [view] = await showOrders([order]);
  return view as OrderView;
}

/** The maximum number of orders in one file: about 1 MB. Lambda returns at most 6 MB. */
export const maximumRows = 5_000;
/** After how many bytes an export ends: with the last page, it stays below the limit of a response. */
export const maximumExportBytes = 2_500_000;

/**
 * Lists a page of an event's orders, newest first.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and managers
 */
export async function listEventOrders(eventId: string, userId: string, query: PageQuery) {
  await getManagedEvent(eventId, userId);
  return queryEventOrders(eventId, query);
}

/**
 * Exports up to 5,000 of an event's orders as CSV, newest first, or fewer with long answers. With `nextCursor` the next call
 * continues the export.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and managers
 */
export async function exportEventOrders(eventId: string, userId: string, cursor: string | undefined) {
  const event = await getManagedEvent(eventId, userId);
  const rows: Cell[][] = [];
  let pageCursor: string | null | undefined = cursor;
  let bytes = 0;
  // An order has up to 100 KB of answers.
  const limit = event.questions?.length ? 10 : 100;
  do {
    const { orders, nextCursor } = await queryEventOrders(eventId, { limit, cursor: pageCursor });
    const answers = await readAnswersOf(orders);
    const page = orders.flatMap((order) => toRows(order, event, answers.get(order.id) ?? []));
    rows.push(...page);
    bytes += responseBytes(page);
    pageCursor = nextCursor;
  } while (pageCursor !== null && rows.length < maximumRows && bytes < maximumExportBytes);
  const labels = (event.questions ?? []).map(({ label }) => label);
  return { csv: toCsv([...header, ...labels], rows), nextCursor: pageCursor };
}

export async function queryEventOrders(eventId: string, query: PageQuery) {
  const source = { index: 'byEvent', partition: eventOrderPartitions(eventId) } as const;
  const { items, nextCursor } = await queryPage(source, query);
  return { orders: items.map(toOrder), nextCursor };
}

const header = [
  'id',
  'reference',
  'createdAt',
  'customerName',
  'customerEmail',
  'tier',
  'quantity',
  'currency',
  'ticketAmount',
  'totalAmount',
  'paymentMethod',
  'gateway',
  'paymentStatus',
  'paymentTxId',
  'fulfilment',
  'refund',
  'code',
  'discount',
];

/**
 * Returns a row for each item. The total of the order, with its fee, and the answers for the order are in the row of its
 * first item; the answers for tickets are joined in the row of their item.
 */
function toRows(order: Order, event: Event, answers: readonly Answer[]): Cell[][] {
  return numberItems(order).map((item, index) => [
    order.id,
    order.reference,
    order.createdAt,
    order.customerName,
    order.customerEmail,
    tierNameOf(event, item),
    item.quantity,
    order.currency,
    toNumber(priceOfItem(item), order.currency),
    index === 0 ? toNumber(order.totalAmount, order.currency) : null,
    order.paymentMethod,
    order.gateway ?? null,
    order.paymentStatus,
    order.paymentTxId ?? null,
    order.fulfilmentStatus,
    order.refund?.status ?? null,
    order.redemption?.code ?? null,
    toNumber(item.discount ?? 0n, order.currency),
    ...(event.questions ?? []).map(({ id }) => {
      const isOfItem = ({ number }: Answer) =>
        number === undefined
          ? index === 0
          : number >= item.firstNumber && number < item.firstNumber + item.quantity;
      const given = answers.filter((answer) => answer.questionId === id && isOfItem(answer));
      return given.map(formatAnswer).join('; ') || null;
    }),
  ]);
}
