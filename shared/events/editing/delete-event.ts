import { conflict } from '../../core/errors.ts';
import { partitions } from '../../dynamo/keys.ts';
import { queryPage } from '../../dynamo/query.ts';
import { transact } from '../../dynamo/write.ts';
import { countUnavailable, planInventory } from '../../inventory/inventory.ts';
import { changeInventory, decideOnInventory } from '../../inventory/store.ts';
import { inventoryOf } from '../event.ts';
import { removeEvent } from '../store.ts';
import { retryOnConflict } from './change-event.ts';

/**
 * Deletes an event without orders, and its inventory.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer, 409 when there
 * are orders
 */
export function deleteEvent(id: string, userId: string): Promise<void> {
  return retryOnConflict(id, userId, async (event) => {
    const inventory = inventoryOf(event);
    const orders = { index: 'byEvent', partition: partitions.eventOrders(id) } as const;
    if ((await queryPage(orders, { limit: 1 })).items.length > 0) throw hasOrders();
    const removal = await decideOnInventory(inventory, (available) => {
      // The index is eventually consistent: an order that it does not list yet still holds inventory.
      if (countUnavailable(inventory.pools, available) !== 0) throw hasOrders();
      return planInventory(inventory.pools, [], available, true);
    });
    await transact([removeEvent(event), ...changeInventory(inventory, inventory.version, removal)]);
  });
}

const hasOrders = () => conflict('has-orders', 'An event with orders can only be cancelled');
