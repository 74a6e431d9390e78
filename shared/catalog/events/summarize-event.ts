import { toAuditViews } from '../../accounts/audit/read-audit.ts';
import { listEventAudit } from '../../accounts/audit/store.ts';
import { eventOrderPartitions } from '../../dynamo/keys.ts';
import { countItems, type PageQuery } from '../../dynamo/read.ts';
import type { PostedOrder } from '../../money/ledger/ledger.ts';
import { readSoldOrders } from '../../money/ledger/store.ts';
import { readAvailable } from '../inventory/store.ts';
import { inventoryOf } from './event.ts';
import { getManagedEvent, getOwnEvent } from './read-events.ts';
import { type EventSummary, toEventSummary } from './summary-view.ts';

/** The maximum number of orders that are counted: an index has about 7,000 in a page. */
const maximumCounted = 1_000_000;

/**
 * Sums up an event's sales and earnings. It reads the event's ledger entries, not its orders, which are only counted. A page
 * of the query has at least 3,000 orders, so 100,000 orders take at most 35 pages.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and managers
 */
export async function summarizeEvent(id: string, userId: string): Promise<EventSummary> {
  const event = await getManagedEvent(id, userId);
  // Reads the inventory first: an order posted between the two reads then counts only as sold, not as held too.
  const [free] = await readAvailable([inventoryOf(event)]);
  const orders: PostedOrder[] = [];
  for await (const order of readSoldOrders(event.organizerId, id)) orders.push(order);
  const summary = toEventSummary(event, free ?? new Map(), orders);
  const partition = eventOrderPartitions(id);
  const placed = await countItems({ index: 'byEvent', partition }, maximumCounted);
  // The index may not have the newest orders yet.
  return { ...summary, ordersPlaced: Math.max(placed, summary.ordersPaid) };
}

/**
 * Lists a page of an event's recorded changes, newest first. Administrators are not named.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer
 */
export async function readEventAudit(eventId: string, userId: string, query: PageQuery) {
  await getOwnEvent(eventId, userId);
  const { entries, nextCursor } = await listEventAudit(eventId, query);
  const views = await toAuditViews(entries, ({ by }) => by.type === 'user');
  return { entries: views, nextCursor };
}
