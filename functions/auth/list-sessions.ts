import * as z from 'zod';
import { listSessions, sessionView } from '../../shared/accounts/auth/list-sessions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/auth/sessions',
    summary: 'List the caller’s sessions',
    caller: 'user',
    response: z.object({ sessions: z.array(sessionView) }),
    errors: ['invalid-token'],
    table: ['GetItem', 'Query'],
  },
  async ({ caller }) => ({ sessions: await listSessions(caller) }),
);
