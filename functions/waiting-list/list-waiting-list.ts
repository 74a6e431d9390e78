import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { listCountsView, managedEntryView } from '../../shared/catalog/waiting-list/views.ts';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { csvReply, prefersCsv } from '../../shared/http/csv.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { exportWaitingList, listWaitingList } from '../../shared/orders/waiting-list/list-entries.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/waiting-list',
    summary: 'List who waits for tickets of an event, or export them as CSV',
    description: 'Those with an offer come first, each in the order of joining.',
    caller: 'user',
    apiKey: acceptKeys('waiting-list:read'),
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    query: pageQuery,
    response: z.object({ tiers: listCountsView, entries: z.array(managedEntryView), nextCursor }),
    csv: true,
    errors: ['forbidden', 'event-not-found'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
    timeoutSeconds: 29,
  },
  async ({ caller: { userId }, path: { id }, query, header }) =>
    prefersCsv(header)
      ? csvReply(`waiting-list-${id}`, await exportWaitingList(id, userId, query.cursor))
      : listWaitingList(id, userId, query),
);
