import { findUser } from '../../../accounts/users/store.ts';
import { isClosed } from '../../../accounts/users/user.ts';
import { forbidden } from '../../../core/errors.ts';
import { newOwnedId } from '../../../core/ids.ts';
import { transact } from '../../../dynamo/write.ts';
import { readContractStatuses } from '../../contracts/contract-status.ts';
import { planInventory } from '../../inventory/inventory.ts';
import { changeInventory, ticketsPerShard } from '../../inventory/store.ts';
import { inventoryOf } from '../event.ts';
import { type EventView, toEventView } from '../event-view.ts';
import { readEventView } from '../read-events.ts';
import { findEventWithTexts, insertEvent } from '../store.ts';
import type { EventCreation } from './event-input.ts';
import { countPublication } from './limit-publishing.ts';
import { assignShards, newEvent, refuseLongTexts } from './new-event.ts';

/**
 * Creates an event and its inventory.
 * @param id the event's id, which contains the organizer's mark (see newOwnedId)
 * @param isContinued whether an interrupted call may have created the event with this id
 * @throws DomainError 400 for a price with more decimals than the currency has, and for descriptions that are too long;
 * 403 for a closed account; as `countPublication`
 */
export async function createEvent(
  creation: EventCreation,
  organizerId: string,
  id = newOwnedId(organizerId),
  isContinued = false,
): Promise<EventView> {
  const created = isContinued ? await findEventWithTexts(id) : undefined;
  if (created) return readEventView(created);
  await refuseClosedAccount(organizerId);
  const event = assignShards(undefined, newEvent(creation, organizerId, id, new Date()), ticketsPerShard());
  refuseLongTexts(event);
  if (event.status === 'PUBLISHED') await countPublication(organizerId);
  const emptyInventory = { eventId: event.id, version: 0, pools: [] };
  const inventory = planInventory(emptyInventory.pools, inventoryOf(event).pools, []);
  await transact([...insertEvent(event), ...changeInventory(emptyInventory, event.saleVersion, inventory)]);
  const [contractStatus = 'none'] = await readContractStatuses([event]);
  const freeByPool = inventoryOf(event).pools.map(({ id, capacity }) => [id, capacity] as const);
  return toEventView(event, new Map(freeByPool), contractStatus);
}

/**
 * Refuses an event whose organizer has closed the account, since nobody could be paid for its tickets.
 * @throws DomainError 403
 */
export async function refuseClosedAccount(organizerId: string): Promise<void> {
  const organizer = await findUser(organizerId);
  if (organizer && isClosed(organizer)) {
    throw forbidden('The organizer of the event has closed the account');
  }
}
