import { conflict } from '../../core/errors.ts';
import { partitions } from '../../dynamo/keys.ts';
import { page } from '../../dynamo/query.ts';
import { transact } from '../../dynamo/write.ts';
import { decideOnInventory } from '../../inventory/decide.ts';
import { heldAndSold, planInventory } from '../../inventory/inventory.ts';
import { changeInventory } from '../../inventory/store.ts';
import { inventoryOf } from '../event.ts';
import { asOrganizer } from '../organizer.ts';
import { removeEvent } from '../store.ts';

/**
 * Deletes an event that nobody has ever ordered a ticket of, with its stock.
 * @throws DomainError 404, 403 for all but the organizer, 409 when there are orders
 */
export function deleteEvent(id: string, userId: string): Promise<void> {
  return asOrganizer(id, userId, async (event) => {
    const sale = inventoryOf(event);
    const orders = { index: 'byEvent', partition: partitions.eventOrders(id) } as const;
    if ((await page(orders, { limit: 1 })).items.length > 0) throw hasOrders();
    const removal = await decideOnInventory(sale, (available) => {
      // The index lags behind; an order it does not have yet still holds stock.
      if (heldAndSold(sale.pools, available) !== 0) throw hasOrders();
      return planInventory(sale.pools, [], available, true);
    });
    await transact([removeEvent(event), ...changeInventory(sale, sale.version, removal)]);
  });
}

const hasOrders = () => conflict('has-orders', 'An event with orders can only be cancelled');
