import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { listCodes } from '../../shared/catalog/promo-codes/change-codes.ts';
import { codeView } from '../../shared/catalog/promo-codes/code-view.ts';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/codes',
    summary: 'List an event’s codes and their uses, in alphabetical order',
    caller: 'user',
    apiKey: acceptKeys('codes:write'),
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    query: pageQuery,
    response: z.object({ codes: z.array(codeView), nextCursor }),
    errors: ['forbidden', 'event-not-found'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
  },
  ({ caller, path, query }) => listCodes(path.id, caller.userId, query),
);
