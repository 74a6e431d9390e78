import * as z from 'zod';
import { codeCreation } from '../../shared/codes/code-input.ts';
import { codeView } from '../../shared/codes/code-view.ts';
import { createCode } from '../../shared/codes/editing/create-code.ts';
import { eventPath } from '../../shared/events/editing/event-input.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'Create a discount or access code for an event',
    caller: 'user',
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    body: codeCreation,
    response: z.object({ code: codeView }),
    status: 201,
    errors: ['forbidden', 'event-not-found', 'code-exists'],
  },
  async ({ caller, path, body }) => ({ code: await createCode(path.id, caller.userId, body) }),
);
