import { readAvailable } from '../inventory/store.ts';
import type { SoldOrder } from '../ledger/ledger.ts';
import { soldOrders } from '../ledger/store.ts';
import { inventoryOf } from './event.ts';
import { type EventSummary, toEventSummary } from './event-summary-view.ts';
import { asOrganizer } from './organizer.ts';

/**
 * What an event sold so far. Reads the ledger's entries about it, which lie side by side: 3,000 orders to a request,
 * or 8,000 that were booked by tens, so 100,000 take 35 requests at most. The orders themselves are not touched.
 * @throws DomainError 404, 403 for all but the organizer
 */
export function summarizeEvent(id: string, userId: string): Promise<EventSummary> {
  return asOrganizer(id, userId, async (event) => {
    // The stock first: what is booked while we read counts as sold, and not as sold and held.
    const [free] = await readAvailable([inventoryOf(event)]);
    const orders: SoldOrder[] = [];
    for await (const order of soldOrders(event.organizerId, id)) orders.push(order);
    return toEventSummary(event, free ?? new Map(), orders);
  });
}
