import { countAttempt } from '../../accounts/rate-limit.ts';
import { DomainError } from '../../core/errors.ts';
import { startOfIds } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { deleteObject, listKeys, readObject, writeObject } from '../../runtime/bucket.ts';
import { requiredSetting } from '../../runtime/config.ts';
import type { Message, Messages } from '../../runtime/messages.ts';
import { log } from '../../runtime/telemetry.ts';
import { changeEvent } from '../events/editing/change-event.ts';
import type { Event } from '../events/event.ts';
import { findEventWithTexts } from '../events/store.ts';
import { changeLogo } from '../organizer-page/change-page.ts';
import type { OrganizerPage } from '../organizer-page/page.ts';
import { findPage } from '../organizer-page/store.ts';
import {
  type Picture,
  PictureRefused,
  parsePictureUrl,
  parseUploadKey,
  pictureKey,
  picturesOf,
  pictureUrl,
  uploadIdOf,
  uploadKey,
  type Width,
  widths,
} from './picture.ts';
import { isDecoderWornOut, resizePicture } from './resize.ts';

/**
 * Processes an upload, copies a picture, or deletes the pictures of a deleted event or page. Each step can be repeated, and
 * the upload is deleted last, so a message that arrives twice, or is interrupted anywhere, leads to the same result.
 */
export async function processPicture(message: Messages['resize-pictures']): Promise<void> {
  switch (message.type) {
    case 'resize-picture':
      return processUpload(parseUploadKey(message.key));
    case 'copy-picture':
      return copyPicture(message);
    case 'delete-pictures':
      return deleteOutdated(message.ownerId);
  }
}

async function processUpload(picture: Picture): Promise<void> {
  const upload = await readObject(uploadKey(picture));
  if (!upload) return;
  const userId = upload.metadata.user ?? '';
  await storePicture(picture, userId, async () => {
    await countProcessed(userId);
    return resizePicture(upload.bytes);
  });
  await deleteObject(uploadKey(picture));
  // Lambda starts another environment, and SQS delivers the message once more, whose upload is gone.
  if (isDecoderWornOut()) process.exit(1);
}

/** A form can be posted again and again while it is valid. Twice the uploads of a day allow for messages that arrive again. */
const processingLimit = {
  maximum: 100,
  windowSeconds: 24 * 60 * 60,
  message: 'You uploaded a hundred pictures today',
};

/** @throws PictureRefused above the limit */
async function countProcessed(userId: string): Promise<void> {
  try {
    await countAttempt(keys.attempts('PROCESSED_PICTURE', userId), processingLimit);
  } catch (error) {
    throw error instanceof DomainError && error.code === 'too-many-attempts'
      ? new PictureRefused(error.message)
      : error;
  }
}

async function copyPicture({ imageUrl, eventId, uploadId, userId }: Message<'copy-picture'>): Promise<void> {
  const original = parsePictureUrl(imageUrl, requiredSetting('PUBLIC_URL'));
  if (!original) return;
  await storePicture({ ownerId: eventId, uploadId }, userId, () =>
    Promise.all(
      widths.map(async (width) => {
        const object = await readObject(pictureKey(original, width));
        if (!object) throw new PictureRefused('The original has another picture by now');
        return { width, jpeg: object.bytes };
      }),
    ),
  );
}

/**
 * Stores a picture in its widths and has its owner show it. A picture that the owner can't show leaves nothing behind, and
 * changes nothing.
 * @param userId who uploaded it, and may still change the owner
 */
async function storePicture(
  picture: Picture,
  userId: string,
  draw: () => Promise<{ width: Width; jpeg: Uint8Array }[]>,
): Promise<void> {
  try {
    // An upload that is posted again does not change a picture that caches have.
    if (!(await isShown(picture))) {
      for (const { width, jpeg } of await draw())
        await writeObject(pictureKey(picture, width), jpeg, 'image/jpeg');
      await show(picture, userId);
    }
  } catch (error) {
    if (!(error instanceof PictureRefused)) throw error;
    log.warn('Picture refused', { ...picture, reason: error.message });
    // Its form may have been posted twice, with another file.
    if (!(await isShown(picture))) for (const width of widths) await deleteObject(pictureKey(picture, width));
  }
  await deleteOutdated(picture.ownerId);
}

/** An event, or the page of an organizer. */
interface Owner {
  /** The address of the picture that it shows. */
  url: string | null;
  /** The start of the ids of its uploads: a page can be created anew after its deletion. */
  firstId: string;
}

const toEventOwner = ({ imageUrl }: Event): Owner => ({ url: imageUrl, firstId: '' });
const toPageOwner = ({ logoUrl, createdAt }: OrganizerPage): Owner => ({
  url: logoUrl,
  firstId: startOfIds(Date.parse(createdAt)),
});

async function findOwner(ownerId: string): Promise<Owner | undefined> {
  const event = await findEventWithTexts(ownerId);
  if (event) return toEventOwner(event);
  const page = await findPage(ownerId);
  return page && toPageOwner(page);
}

async function isShown(picture: Picture): Promise<boolean> {
  return (await findOwner(picture.ownerId))?.url === pictureUrl(requiredSetting('PUBLIC_URL'), picture);
}

/**
 * Sets the address of the event's picture or the page's logo.
 * @throws PictureRefused when there is no such owner, a later upload was processed before, or the user may not change the
 * event any more
 */
async function show(picture: Picture, userId: string): Promise<void> {
  const { ownerId } = picture;
  const url = pictureUrl(requiredSetting('PUBLIC_URL'), picture);
  const refuseOutdated = (owner: Owner) => {
    if (picture.uploadId < firstCurrent(ownerId, owner))
      throw new PictureRefused('A later picture was processed before');
  };
  try {
    // The owner of a logo is its organizer.
    if (ownerId === userId) await changeLogo(ownerId, url, (page) => refuseOutdated(toPageOwner(page)));
    else
      await changeEvent(ownerId, userId, (event) => {
        refuseOutdated(toEventOwner(event));
        return { ...event, imageUrl: url };
      });
  } catch (error) {
    const isFinal = error instanceof DomainError && ['not-found', 'forbidden'].includes(error.kind);
    throw isFinal ? new PictureRefused(error.message) : error;
  }
}

/** Returns the id of the upload that an owner shows; without one, the start of the ids of its uploads. */
function firstCurrent(ownerId: string, { url, firstId }: Owner): string {
  const shown = parsePictureUrl(url, requiredSetting('PUBLIC_URL'));
  return shown?.ownerId === ownerId ? shown.uploadId : firstId;
}

/** Deletes the pictures that are older than the one that the owner shows; all of them when the owner was deleted. */
async function deleteOutdated(ownerId: string): Promise<void> {
  const keys = await listKeys(picturesOf(ownerId));
  const owner = await findOwner(ownerId);
  const isOutdated = (key: string) => !owner || uploadIdOf(key) < firstCurrent(ownerId, owner);
  for (const key of keys.filter(isOutdated)) await deleteObject(key);
}
