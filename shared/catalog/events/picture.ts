import { createHash } from 'node:crypto';
import { countAttempt } from '../../accounts/rate-limit.ts';
import { notFound } from '../../core/errors.ts';
import { cleanJpeg } from '../../core/jpeg.ts';
import { keys } from '../../dynamo/keys.ts';
import { put, type Write } from '../../dynamo/write.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { changeEvent } from './editing/change-event.ts';
import type { EventView } from './event-view.ts';
import { getManagedEvent } from './read-events.ts';
import { findPicture } from './store.ts';

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

/** Returns the address of an event's picture, and the write that stores it. */
export function toPicture(eventId: string, bytes: Buffer): { imageUrl: string; write: Write } {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const imageUrl = `${requiredSetting('PUBLIC_URL')}/api/pictures/${eventId}/${hash}`;
  return { imageUrl, write: put({ ...keys.eventPicture(eventId), hash, bytes }) };
}

/** Returns an event's picture. @throws DomainError 404 for another one than the event has */
export async function readPicture(eventId: string, hash: string): Promise<Buffer> {
  const found = await findPicture(eventId, hash);
  if (!found) throw notFound('Picture');
  return found;
}
