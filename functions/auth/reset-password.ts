import { passwordReset } from '../../shared/accounts/users/user.ts';
import { recoverAccount } from '../../shared/catalog/webhooks/recover-account.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readIdempotencyKey } from '../../shared/http/idempotency.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/reset-password',
    summary: 'Set a new password with the token of a mailed link',
    description:
      'Ends all sessions of the user, unlinks and clears the wallet, and confirms the e-mail address. Passkeys and authenticator apps that were added in the last seven days are removed, and payouts then wait for 72 hours. If the account has not confirmed its address in a session, its API keys are deleted and its webhook endpoints disabled: somebody else may have registered with the address. A token works once.',
    caller: 'anyone',
    body: passwordReset,
    response: createMessageView('Password changed'),
    idempotent: true,
    errors: ['invalid-reset-token'],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['send-mail'],
    settings: ['PASSWORD_HASH_ROUNDS', 'MAIL_FROM', 'RETENTION_DAYS'],
    memoryMegabytes: 1769,
  },
  async ({ body, header }) => {
    await recoverAccount(body, readIdempotencyKey(header));
    return { message: 'Password changed' };
  },
);
