import type * as z from 'zod';
import { countAttempt } from '../../accounts/rate-limit.ts';
import { notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { signUpload } from '../../runtime/bucket.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { getManagedEvent } from '../events/read-events.ts';
import { findPage } from '../organizer-page/store.ts';
import {
  maximumUploadBytes,
  type PictureUpload,
  type pictureUploadView,
  pictureUrl,
  uploadKey,
} from './picture.ts';

/** Limits the uploads of a user. */
const uploadLimit = {
  maximum: 50,
  windowSeconds: 24 * 60 * 60,
  message: 'You uploaded fifty pictures today, please try again tomorrow',
};

/** Long enough for 5 MB over a slow line. */
const expiresInSeconds = 10 * 60;

type PictureUploadView = z.infer<typeof pictureUploadView>;

/**
 * Prepares the upload of an event's picture. The event changes once the worker has processed the upload.
 * @throws DomainError as `getManagedEvent`; 429 after fifty uploads in a day
 */
export async function requestPicture(
  eventId: string,
  userId: string,
  upload: PictureUpload,
): Promise<PictureUploadView> {
  await getManagedEvent(eventId, userId);
  return requestUpload(eventId, userId, upload);
}

/**
 * Prepares the upload of the logo of an organizer's page. The page changes once the worker has processed the upload.
 * @throws DomainError 404 without a page; 429 after fifty uploads in a day
 */
export async function requestLogo(organizerId: string, upload: PictureUpload): Promise<PictureUploadView> {
  const page = await findPage(organizerId);
  if (!page) throw notFound('Page');
  // The clock of another function may have been ahead when it created the page.
  const now = Math.max(Date.now(), Date.parse(page.createdAt));
  return requestUpload(organizerId, organizerId, upload, now);
}

async function requestUpload(
  ownerId: string,
  userId: string,
  { type }: PictureUpload,
  now = Date.now(),
): Promise<PictureUploadView> {
  await countAttempt(keys.attempts('PICTURE', userId), uploadLimit);
  const picture = { ownerId, uploadId: newId(now) };
  const form = await signUpload(uploadKey(picture), {
    contentType: type,
    maximumBytes: maximumUploadBytes,
    expiresInSeconds,
    metadata: { user: userId },
  });
  return { ...form, imageUrl: pictureUrl(requiredSetting('PUBLIC_URL'), picture) };
}
