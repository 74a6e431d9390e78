import { accountClosed, countOpenedEvent, findUser } from '../../../accounts/users/store.ts';
import { isClosed } from '../../../accounts/users/user.ts';
import { newId, newOwnedId } from '../../../core/ids.ts';
import { transact } from '../../../dynamo/write.ts';
import { checkWebhookUse, readWebhookUse } from '../../../messaging/webhooks/store.ts';
import { requiredSetting } from '../../../runtime/config.ts';
import { sendMessage } from '../../../runtime/queue.ts';
import { readContractStatuses } from '../../contracts/contract-status.ts';
import { planInventory } from '../../inventory/inventory.ts';
import { changeInventory, ticketsPerShard } from '../../inventory/store.ts';
import { toEventFields } from '../../organizer-page/page.ts';
import { checkPage, findStoredPage } from '../../organizer-page/store.ts';
import { parsePictureUrl } from '../../pictures/picture.ts';
import { startQueue } from '../../queue/store.ts';
import { type Event, inventoryOf } from '../event.ts';
import { type EventView, toEventView } from '../event-view.ts';
import { getOwnEvent, readEventView } from '../read-events.ts';
import { findEventWithTexts, insertEvent } from '../store.ts';
import type { EventCreation, EventDuplication } from './event-input.ts';
import { countCreation, countPublication } from './event-limits.ts';
import { assignShards, copyEvent, newEvent, refuseLongTexts } from './new-event.ts';

/**
 * Creates an event and its inventory.
 * @param id the event's id, which contains the organizer's mark (see newOwnedId)
 * @param isContinued whether an interrupted call may have created the event with this id
 * @throws DomainError 400 for a price with more decimals than the currency has, and for descriptions that are too long;
 * 403 for a closed account; as `countCreation` and `countPublication`
 */
export async function createEvent(
  creation: EventCreation,
  organizerId: string,
  id = newOwnedId(organizerId),
  isContinued = false,
): Promise<EventView> {
  const created = isContinued ? await findEventWithTexts(id) : undefined;
  if (created) return readEventView(created);
  const event = newEvent(creation, organizerId, id, new Date());
  refuseLongTexts(event);
  return insertNewEvent(event);
}

/**
 * Copies an event of the caller as a draft that begins at another time. Its other times keep their distances from the
 * start. Codes and staff are not copied.
 * @param id as for `createEvent`
 * @throws DomainError 404 when the caller may not see the event, 403 for all but its organizer, and as `createEvent`
 */
export async function duplicateEvent(
  eventId: string,
  organizerId: string,
  { startDate }: EventDuplication,
  id: string,
  isContinued: boolean,
): Promise<EventView> {
  const earlier = isContinued ? await findEventWithTexts(id) : undefined;
  if (earlier) return readEventView(earlier);
  const original = await getOwnEvent(eventId, organizerId);
  const copy = copyEvent(original, startDate, id, new Date());
  const { imageUrl } = original;
  if (!parsePictureUrl(imageUrl, requiredSetting('PUBLIC_URL'))) return insertNewEvent(copy);
  // The copy shows a copy of the picture, once the worker has made it, since the original may replace its own.
  const created = await insertNewEvent({ ...copy, imageUrl: '' });
  const message = {
    type: 'copy-picture',
    imageUrl,
    eventId: id,
    uploadId: newId(),
    userId: organizerId,
  } as const;
  await sendMessage('resize-pictures', message, { tenant: organizerId });
  return created;
}

async function insertNewEvent(newEvent: Event): Promise<EventView> {
  const { organizerId } = newEvent;
  await refuseClosedAccount(organizerId);
  const use = await readWebhookUse(organizerId);
  const page = await findStoredPage(organizerId);
  const event = {
    ...assignShards(undefined, newEvent, ticketsPerShard()),
    ...(use.hasWebhooks && use),
    ...toEventFields(page),
  };
  await countCreation(organizerId);
  if (event.status === 'PUBLISHED') await countPublication(event);
  const emptyInventory = { eventId: event.id, version: 0, pools: [] };
  const inventory = planInventory(emptyInventory.pools, inventoryOf(event).pools, []);
  await transact([
    ...insertEvent(event),
    ...startQueue(event),
    ...changeInventory(emptyInventory, event.saleVersion, inventory),
    // An endpoint that is created meanwhile marks the events that it finds, and so does a page.
    checkWebhookUse(organizerId, use),
    checkPage(organizerId, page),
    // The account may be closed meanwhile.
    countOpenedEvent(organizerId),
  ]);
  const [contractStatus = 'none'] = await readContractStatuses([event]);
  const freeByPool = inventoryOf(event).pools.map(({ id, capacity }) => [id, capacity] as const);
  return toEventView(event, new Map(freeByPool), contractStatus);
}

/** Refuses a change for an organizer who has closed the account. @throws DomainError 403 */
export async function refuseClosedAccount(organizerId: string): Promise<void> {
  const organizer = await findUser(organizerId);
  if (organizer && isClosed(organizer)) throw accountClosed();
}
