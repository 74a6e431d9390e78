import { revokeSessions } from '../../shared/auth/revoke-sessions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { messageView } from '../../shared/views.ts';

export const handler = endpoint(
  {
    summary: 'End all sessions of a user',
    caller: 'user',
    who: 'the user, or an admin',
    path: idPath,
    response: messageView('All sessions ended'),
    errors: ['forbidden', 'user-not-found'],
  },
  async ({ path, caller }) => {
    await revokeSessions(path.id, caller);
    return { message: 'All sessions ended' };
  },
);
