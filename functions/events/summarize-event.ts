import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { summarizeEvent } from '../../shared/catalog/events/summarize-event.ts';
import { eventSummaryView } from '../../shared/catalog/events/summary-view.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/summary',
    summary: 'Summarize an event’s sales and earnings per tier',
    caller: 'user',
    apiKey: acceptKeys('events:read'),
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    response: z.object({ summary: eventSummaryView }),
    errors: ['forbidden', 'event-not-found', 'busy'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  async ({ caller, path }) => ({ summary: await summarizeEvent(path.id, caller.userId) }),
);
