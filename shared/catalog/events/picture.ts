import { countAttempt } from '../../accounts/rate-limit.ts';
import { notFound } from '../../core/errors.ts';
import { cleanJpeg } from '../../core/jpeg.ts';
import { keys } from '../../dynamo/keys.ts';
import { changeEvent } from './editing/change-event.ts';
import type { EventView } from './event-view.ts';
import { getManagedEvent } from './read-events.ts';
import { findPicture, toPicture } from './store.ts';

/** The maximum length of an uploaded picture, in bytes: in base64, it fits into the largest body. */
export const maximumPictureBytes = 180 * 1024;

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
  const bytes = cleanJpeg(Buffer.from(data, 'base64'));
  await countAttempt(keys.attempts('PICTURE', userId), uploadLimit);
  const { imageUrl, write } = toPicture(eventId, bytes);
  // One transaction: of two uploads at once, the event names the one that is stored.
  return changeEvent(eventId, userId, (event) => ({ ...event, imageUrl }), [write]);
}

/** Returns an event's picture. @throws DomainError 404 for another one than the event has */
export async function readPicture(eventId: string, hash: string): Promise<Buffer> {
  const found = await findPicture(eventId, hash);
  if (!found) throw notFound('Picture');
  return found;
}
