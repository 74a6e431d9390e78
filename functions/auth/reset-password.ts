import { resetPassword } from '../../shared/accounts/auth/reset-password.ts';
import { passwordReset } from '../../shared/accounts/users/user.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readIdempotencyKey } from '../../shared/http/idempotency.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/reset-password',
    summary: 'Set a new password with the token of a mailed link',
    description:
      'Ends all sessions of the user, unlinks and clears the wallet, and confirms the e-mail address. Passkeys and authenticator apps that were added in the last seven days are removed, and payouts then wait for 72 hours. A token works once.',
    caller: 'anyone',
    body: passwordReset,
    response: createMessageView('Password changed'),
    idempotent: true,
    errors: ['invalid-reset-token'],
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['send-mail'],
    settings: ['PASSWORD_HASH_ROUNDS', 'MAIL_FROM'],
    memoryMegabytes: 1769,
  },
  async ({ body, header }) => {
    await resetPassword(body, readIdempotencyKey(header));
    return { message: 'Password changed' };
  },
);
