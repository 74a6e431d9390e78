import { conflict } from '../../../core/errors.ts';
import { eventOrderPartitions } from '../../../dynamo/keys.ts';
import { queryPage } from '../../../dynamo/read.ts';
import { transact } from '../../../dynamo/write.ts';
import { sendMessage } from '../../../runtime/queue.ts';
import { insertEventJob } from '../../event-jobs/store.ts';
import { countUnavailable } from '../../inventory/inventory.ts';
import { decideOnInventory, removeInventory } from '../../inventory/store.ts';
import { removeCodes } from '../../promo-codes/store.ts';
import { removeAllMembers } from '../../staff/store.ts';
import { inventoryOf } from '../event.ts';
import { getOwnEvent } from '../read-events.ts';
import { removeEvent } from '../store.ts';
import { retryOnEventConflict } from './change-event.ts';

/**
 * Deletes an event that has no orders, with its inventory, its staff, its codes and its picture.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer, 409 when there
 * are orders
 */
export async function deleteEvent(id: string, userId: string): Promise<void> {
  const tenant = await retryOnEventConflict(
    () => getOwnEvent(id, userId),
    async (event) => {
      const inventory = inventoryOf(event);
      const orders = { index: 'byEvent', partition: eventOrderPartitions(id) } as const;
      if ((await queryPage(orders, { limit: 1 })).items.length > 0) throw hasOrdersError();
      // The index is eventually consistent. The inventory shows orders that the index does not list yet.
      const available = await decideOnInventory(inventory, (free) => {
        if (countUnavailable(inventory.pools, free) !== 0) throw hasOrdersError();
        return free;
      });
      const { organizerId } = event;
      const job = { eventId: id, organizerId, kind: 'delete', startedAt: new Date().toISOString() } as const;
      await transact([
        ...removeEvent(event),
        ...removeInventory(inventory, available, hasOrdersError),
        insertEventJob(job),
      ]);
      return organizerId;
    },
  );
  // After a crash or an error, the job removes them.
  await removeAllMembers(id);
  await removeCodes(id);
  await sendMessage('resize-pictures', { type: 'delete-pictures', ownerId: id }, { tenant });
}

const hasOrdersError = () => conflict('has-orders', 'An event with orders can only be cancelled');
