import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { deletePasskey } from '../../shared/accounts/factors/change-factors.ts';
import { passkeyPath } from '../../shared/accounts/factors/factor.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/auth/passkeys/{id}',
    summary: 'Delete a passkey',
    description:
      'The recovery codes that came with it end too; all codes, when it is the last second factor of the account.',
    caller: 'user',
    fresh: requireFreshSession,
    path: passkeyPath,
    response: createMessageView('Passkey deleted'),
    errors: ['passkey-not-found'],
    table: ['Query', 'DeleteItem', 'PutItem', 'UpdateItem'],
    sends: ['send-mail'],
    settings: ['MAIL_FROM'],
  },
  async ({ caller, path }) => {
    await deletePasskey(caller.userId, path.id);
    return { message: 'Passkey deleted' };
  },
);
