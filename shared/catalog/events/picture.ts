import { countAttempt } from '../../accounts/rate-limit.ts';
import { notFound } from '../../core/errors.ts';
import { cleanJpeg } from '../../core/jpeg.ts';
import { keys } from '../../dynamo/keys.ts';
import { changeEvent } from './editing/change-event.ts';
import type { EventView } from './event-view.ts';
import { getManagedEvent } from './read-events.ts';
import { findPicture, toPicture } from './store.ts';

/** Limits the uploads of a user. */
const uploadLimit = {
  maximum: 50,
  windowSeconds: 24 * 60 * 60,
  message: 'You uploaded fifty pictures today, please try again tomorrow',
};

/**
 * Stores an event's picture in place of an earlier upload, and sets its `imageUrl`. The table has the picture, since it is
 * small, is read through a CDN, and is deleted and backed up with its event.
 * @throws DomainError as `changeEvent` and `cleanJpeg`; 429 after fifty uploads in a day
 */
export async function uploadPicture(eventId: string, userId: string, data: string): Promise<EventView> {
  await getManagedEvent(eventId, userId);
  const { imageUrl, write } = await acceptPicture(eventId, userId, data);
  // One transaction: of two uploads at once, the event names the one that is stored.
  return changeEvent(eventId, userId, (event) => ({ ...event, imageUrl }), [write]);
}

/**
 * Checks and counts an upload, and returns its address and the write that stores it in place of an earlier one.
 * @param ownerId the id of the event or the organizer that the picture is of
 * @throws DomainError as `cleanJpeg`; 429 after fifty uploads in a day
 */
export async function acceptPicture(ownerId: string, userId: string, data: string) {
  const bytes = cleanJpeg(Buffer.from(data, 'base64'));
  await countAttempt(keys.attempts('PICTURE', userId), uploadLimit);
  return toPicture(ownerId, bytes);
}

/** Returns an uploaded picture. @throws DomainError 404 for another one than there is */
export async function readPicture(ownerId: string, hash: string): Promise<Buffer> {
  const found = await findPicture(ownerId, hash);
  if (!found) throw notFound('Picture');
  return found;
}
