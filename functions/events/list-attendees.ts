import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { csvReply, prefersCsv } from '../../shared/http/csv.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { attendeeView, exportAttendees, listAttendees } from '../../shared/tickets/seats/list-attendees.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/attendees',
    summary: 'List the valid tickets of an event with their attendees and answers, or export them as CSV',
    description: 'Those of the newest order come first. A page has the tickets of up to 10 orders.',
    caller: 'user',
    apiKey: acceptKeys('orders:read'),
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    query: pageQuery,
    response: z.object({ attendees: z.array(attendeeView), nextCursor }),
    csv: true,
    errors: ['forbidden', 'event-not-found'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
    indexes: ['byEvent'],
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  async ({ caller: { userId }, path: { id }, query, header }) =>
    prefersCsv(header)
      ? csvReply(`attendees-${id}`, await exportAttendees(id, userId, query.cursor))
      : listAttendees(id, userId, query),
);
