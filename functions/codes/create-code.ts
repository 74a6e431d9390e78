import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { createCode } from '../../shared/catalog/promo-codes/change-codes.ts';
import { codeCreation } from '../../shared/catalog/promo-codes/code-input.ts';
import { codeView } from '../../shared/catalog/promo-codes/code-view.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/codes',
    summary: 'Create a discount or access code for an event',
    caller: 'user',
    apiKey: acceptKeys('codes:write'),
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    body: codeCreation,
    response: z.object({ code: codeView }),
    status: 201,
    errors: ['forbidden', 'event-not-found', 'code-exists'],
    table: ['GetItem', 'BatchGetItem', 'PutItem'],
  },
  async ({ caller, path, body }) => ({ code: await createCode(path.id, caller.userId, body) }),
);
