import * as z from 'zod';
import { eventView } from '../../shared/events/event-view.ts';
import { eventListQuery, listEvents } from '../../shared/events/list-events.ts';
import { publicCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { nextCursor } from '../../shared/views.ts';

export const handler = endpoint(
  {
    summary: 'List public events, the soonest first',
    description: 'With `organizerId=me` the caller’s own, drafts too, the newest first.',
    caller: 'optional',
    query: eventListQuery,
    response: z.object({ events: z.array(eventView), nextCursor }),
  },
  async ({ caller, query }) =>
    new Reply(await listEvents(query, caller?.userId), { headers: publicCaching(caller) }),
);
