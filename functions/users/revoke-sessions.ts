import { revokeSessions } from '../../shared/accounts/auth/sessions.ts';
import { createMessageView, idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/users/{id}/sessions',
    summary: 'End all sessions of a user',
    caller: 'user',
    callerDescription: 'the user, or an admin',
    path: idPath('user'),
    response: createMessageView('All sessions ended'),
    errors: ['user-not-found'],
    table: ['Query', 'DeleteItem', 'GetItem'],
  },
  async ({ path, caller }) => {
    await revokeSessions(path.id, caller);
    return { message: 'All sessions ended' };
  },
);
