import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { queueView } from '../../shared/catalog/queue/views.ts';
import { sharedCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { showQueue } from '../../shared/orders/queue/show-queue.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/queue',
    summary: 'Get the state of an event’s queue',
    description:
      'The same for everybody: it is the turn of a number up to `admittedUpTo`. A CDN answers it for two seconds.',
    caller: 'anyone',
    path: eventPath,
    response: queueView,
    errors: ['event-not-found', 'no-queue'],
    table: ['GetItem'],
  },
  async ({ path }) => new Reply(await showQueue(path.id), { headers: sharedCaching }),
);
