import * as z from 'zod';
import { pictureKey, widths } from '../../shared/catalog/pictures/picture.ts';
import { notFound } from '../../shared/core/errors.ts';
import { idInput } from '../../shared/core/schemas.ts';
import { immutableCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { readObject } from '../../shared/runtime/bucket.ts';

const headers = {
  ...immutableCaching,
  'content-type': 'image/jpeg',
  // Even a browser that ignores the type runs nothing.
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

export const handler = endpoint(
  {
    route: 'GET /api/pictures/{id}/{upload}/{width}',
    summary: 'Get the uploaded picture of an event, or the logo of an organizer',
    description: 'The address changes with the picture, so the answer may be cached for ever.',
    caller: 'anyone',
    path: z.object({
      id: idInput.meta({ description: 'The id of the event or the organizer' }),
      upload: idInput.meta({ description: 'The id of the upload, from `imageUrl` or `logoUrl`' }),
      width: z.coerce
        .number()
        .pipe(z.literal(widths))
        .meta({ description: 'In pixels: 400, 800 or 1600. A smaller picture keeps its width' }),
    }),
    response: z.string(),
    mediaType: 'image/jpeg',
    errors: ['picture-not-found'],
    objects: { pictures: ['GetObject'] },
  },
  async ({ path: { id: ownerId, upload: uploadId, width } }) => {
    const picture = await readObject(pictureKey({ ownerId, uploadId }, width));
    if (!picture) throw notFound('Picture');
    return new Reply(picture.bytes, { headers });
  },
);
