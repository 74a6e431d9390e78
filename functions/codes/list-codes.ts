import * as z from 'zod';
import { codeView } from '../../shared/codes/code-view.ts';
import { listCodes } from '../../shared/codes/editing/list-codes.ts';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { eventPath } from '../../shared/events/editing/event-input.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'List an event’s codes and their uses, in alphabetical order',
    caller: 'user',
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    query: pageQuery,
    response: z.object({ codes: z.array(codeView), nextCursor }),
    errors: ['forbidden', 'event-not-found'],
  },
  ({ caller, path, query }) => listCodes(path.id, caller.userId, query),
);
