import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { resetFactors } from '../../shared/accounts/factors/reset-factors.ts';
import { createMessageView, idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/users/{id}/factors',
    summary: 'Reset the second factors of a user who has lost them',
    description:
      'Removes passkeys, authenticator app and recovery codes, and ends all sessions. The reset is recorded and mailed to the user, and their payouts wait for 72 hours.',
    caller: 'admin',
    fresh: requireFreshSession,
    path: idPath('user'),
    response: createMessageView('Second factors removed'),
    errors: ['user-not-found', 'busy'],
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['send-mail'],
    settings: ['MAIL_FROM'],
  },
  async ({ caller, path }) => {
    await resetFactors(path.id, caller);
    return { message: 'Second factors removed' };
  },
);
