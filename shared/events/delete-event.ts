import { partitions } from '../dynamo/keys.ts';
import { page } from '../dynamo/page.ts';
import { transact } from '../dynamo/write.ts';
import { conflict } from '../errors.ts';
import { planSale, takenOf } from '../stock/stock.ts';
import { changeStock, readSale } from '../stock/store.ts';
import { saleOf } from './event.ts';
import { asOrganizer } from './organizer.ts';
import { removeEvent } from './store.ts';

/**
 * Deletes an event that nobody has ever ordered a ticket of, with its stock.
 * @throws DomainError 404, 403 for all but the organizer, 409 when there are orders
 */
export function deleteEvent(id: string, userId: string): Promise<void> {
  return asOrganizer(id, userId, async (event) => {
    const sale = saleOf(event);
    const orders = { index: 'byEvent', partition: partitions.eventOrders(id) } as const;
    const [{ items }, available] = await Promise.all([page(orders, { limit: 1 }), readSale(sale)]);
    // The index lags behind; an order it does not have yet still holds stock.
    if (items.length > 0 || takenOf(sale.pools, available) !== 0) {
      throw conflict('has-orders', 'An event with orders can only be cancelled');
    }
    const removal = planSale(sale.pools, [], available, true);
    await transact([removeEvent(event), ...changeStock(sale, sale.version, removal)]);
  });
}
