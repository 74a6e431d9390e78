import * as z from 'zod';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { drawView } from '../../shared/catalog/queue/views.ts';
import { immutableCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { showDraw } from '../../shared/orders/queue/show-queue.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/queue/draw',
    summary: 'Get the draw of an event’s queue, to check it',
    description:
      'The key is SHA-256 of the bytes of `seed` and `publicValue`. The draw of a place is HMAC-SHA256 of its `id` with this key, and numbers are ranks by ascending draw. `commitment`, SHA-256 of the bytes of `seed`, was public while people joined.',
    caller: 'anyone',
    path: eventPath,
    query: z.object({
      page: z.coerce.number().int().min(1).max(1_000_000).default(1).meta({ description: 'From 1 on' }),
    }),
    response: drawView,
    errors: ['event-not-found', 'no-queue', 'not-drawn'],
    table: ['GetItem'],
  },
  async ({ path, query }) => new Reply(await showDraw(path.id, query.page), { headers: immutableCaching }),
);
