import { endSession } from '../../shared/accounts/auth/list-sessions.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { createMessageView, idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/auth/sessions/{id}',
    summary: 'End one of the caller’s sessions',
    description:
      'Its refresh token and its confirmations end at once. Its access token opens what needs no fresh session for the rest of its 15 minutes.',
    caller: 'user',
    // The thief of a session could end the owner's new ones as they begin. Everybody may end their own.
    fresh: (caller, _body, { id }) => (id === caller.sessionId ? undefined : requireFreshSession(caller)),
    path: idPath('session'),
    response: createMessageView('Session ended'),
    errors: ['invalid-token', 'session-not-found'],
    table: ['GetItem', 'Query', 'DeleteItem'],
  },
  async ({ caller, path }) => {
    await endSession(caller, path.id);
    return { message: 'Session ended' };
  },
);
