import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { endTotp } from '../../shared/accounts/factors/change-factors.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/auth/totp',
    summary: 'Remove the authenticator app',
    description:
      'The recovery codes that came with it end too; all codes, when it is the last second factor of the account.',
    caller: 'user',
    fresh: requireFreshSession,
    response: createMessageView('Authenticator app removed'),
    table: ['Query', 'DeleteItem', 'PutItem', 'UpdateItem'],
    sends: ['send-mail'],
    settings: ['MAIL_FROM'],
  },
  async ({ caller }) => {
    await endTotp(caller.userId);
    return { message: 'Authenticator app removed' };
  },
);
