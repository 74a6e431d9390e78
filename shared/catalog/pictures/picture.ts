import * as z from 'zod';

/** The widths in which a picture is stored, in pixels. A smaller picture is never enlarged. */
export const widths = [400, 800, 1600] as const;
export type Width = (typeof widths)[number];

/** The longest side of an accepted picture, in pixels. Decoded, such a picture takes 64 MB. */
export const maximumSide = 4_000;

/** The upload is not a picture that the service accepts. */
export class PictureRefused extends Error {}

/** The maximum length of an upload, in bytes. */
export const maximumUploadBytes = 5 * 1024 * 1024;

/** The types of pictures that can be uploaded. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

export const pictureUpload = z
  .object({ type: z.enum(pictureTypes).meta({ description: 'The type of the file' }) })
  .meta({ examples: [{ type: 'image/jpeg' }] });
export type PictureUpload = z.infer<typeof pictureUpload>;

export const pictureUploadView = z
  .object({
    url: z.string().meta({ description: 'Where to post the file, as `multipart/form-data`' }),
    fields: z
      .record(z.string(), z.string())
      .meta({ description: 'The fields of the form; the file follows them as `file`' }),
    imageUrl: z.string().meta({
      description:
        'The address of the picture once it is processed, 1,600 pixels wide. Those of 400 and 800 pixels differ in the last segment',
    }),
  })
  .meta({ id: 'PictureUpload' });

/**
 * A picture of an event or an organizer's page.
 * `ownerId` is the id of the event or the organizer; `uploadId`, from `newId`, sorts by the time of the request.
 */
export interface Picture {
  ownerId: string;
  uploadId: string;
}

export const uploadKey = ({ ownerId, uploadId }: Picture) => `uploads/${ownerId}/${uploadId}`;
export const pictureKey = ({ ownerId, uploadId }: Picture, width: Width) =>
  `pictures/${ownerId}/${uploadId}/${width}.jpg`;
/** The beginning of the keys of an owner's pictures. */
export const picturesOf = (ownerId: string) => `pictures/${ownerId}/`;

/** Parses the key of an upload. @throws Error for any other key */
export function parseUploadKey(key: string): Picture {
  const [, ownerId, uploadId] = /^uploads\/([\w-]+)\/(\w+)$/.exec(key) ?? [];
  if (!ownerId || !uploadId) throw new Error(`Not the key of an upload: ${key}`);
  return { ownerId, uploadId };
}

/** Returns the id of the upload that an object was made from. */
export const uploadIdOf = (pictureKey: string) => pictureKey.split('/')[2] ?? '';

/** Returns the address of a picture in its largest width. @param publicUrl the shop's */
export const pictureUrl = (publicUrl: string, { ownerId, uploadId }: Picture) =>
  `${publicUrl}/api/pictures/${ownerId}/${uploadId}/1600`;

/** Parses the address of a picture of this shop; undefined for any other. */
export function parsePictureUrl(url: string | null, publicUrl: string): Picture | undefined {
  if (!url?.startsWith(`${publicUrl}/`)) return undefined;
  const [, ownerId, uploadId] =
    /^\/api\/pictures\/([\w-]+)\/(\w+)\/1600$/.exec(url.slice(publicUrl.length)) ?? [];
  return ownerId && uploadId ? { ownerId, uploadId } : undefined;
}

/** Returns the address of a picture of this shop in another width. Any other address stays as it is. */
export function inWidth(url: string, width: Width, publicUrl: string): string {
  return parsePictureUrl(url, publicUrl) ? url.replace(/1600$/, `${width}`) : url;
}
