import * as z from 'zod';
import { nextCursor } from '../../shared/core/schemas.ts';
import { eventView } from '../../shared/events/event-view.ts';
import { eventListQuery, listEvents } from '../../shared/events/list-events.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'List public events, soonest first',
    description: '`organizerId=me` lists the caller’s own events, including drafts, newest first.',
    caller: 'optional',
    query: eventListQuery,
    response: z.object({ events: z.array(eventView), nextCursor }),
  },
  ({ caller, query }) => listEvents(query, caller?.userId),
);
