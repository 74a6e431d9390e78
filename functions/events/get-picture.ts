import * as z from 'zod';
import { readPicture } from '../../shared/catalog/events/picture.ts';
import { idInput } from '../../shared/core/schemas.ts';
import { immutableCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

const headers = {
  ...immutableCaching,
  'content-type': 'image/jpeg',
  // Even a browser that ignores the type runs nothing.
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

export const handler = endpoint(
  {
    route: 'GET /api/pictures/{id}/{hash}',
    summary: 'Get the uploaded picture of an event, or the logo of an organizer',
    description: 'The address changes with the picture, so the answer may be cached for ever.',
    caller: 'anyone',
    path: z.object({
      id: idInput.meta({ description: 'The id of the event or the organizer' }),
      hash: idInput.meta({ description: 'The hash of the picture, from `imageUrl` or `logoUrl`' }),
    }),
    response: z.string(),
    mediaType: 'image/jpeg',
    errors: ['picture-not-found'],
    table: ['GetItem'],
  },
  async ({ path }) => new Reply(await readPicture(path.id, path.hash), { headers }),
);
