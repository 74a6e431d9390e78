import { revokeSessions } from '../../shared/auth/revoke-sessions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';

export const handler = endpoint({ caller: 'user', path: idPath }, async ({ path, caller }) => {
  await revokeSessions(path.id, caller);
  return { message: 'All sessions ended' };
});
