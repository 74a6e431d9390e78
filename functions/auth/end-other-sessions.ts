import { endOtherSessions } from '../../shared/accounts/auth/list-sessions.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/auth/sessions',
    summary: 'End all of the caller’s sessions but this one',
    caller: 'user',
    // The thief of a session could end the owner's new ones as they begin.
    fresh: requireFreshSession,
    response: createMessageView('Other sessions ended'),
    errors: ['invalid-token'],
    table: ['GetItem', 'Query', 'DeleteItem'],
  },
  async ({ caller }) => {
    await endOtherSessions(caller);
    return { message: 'Other sessions ended' };
  },
);
