import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventView } from '../../shared/catalog/events/event-view.ts';
import { eventListQuery, listEvents } from '../../shared/catalog/events/list-events.ts';
import { nextCursor } from '../../shared/core/schemas.ts';
import { publicCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events',
    summary: 'List public events, soonest first',
    description:
      '`organizerId=me` lists the caller’s own events. `staff=me` lists the events at which the caller is on the staff. Both include drafts and list the newest first. With an API key, the list always has the key’s events.',
    caller: 'optional',
    apiKey: acceptKeys('events:read'),
    query: eventListQuery,
    response: z.object({ events: z.array(eventView), nextCursor }),
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['byOwner', 'byEvent'],
    settings: ['TICKET_CONTRACTS'],
  },
  async ({ caller, query }) => new Reply(await listEvents(query, caller), { headers: publicCaching(caller) }),
);
