import { resetPassword } from '../../shared/auth/reset-password.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readIdempotencyKey } from '../../shared/http/idempotency.ts';
import { passwordReset } from '../../shared/users/user.ts';

export const handler = endpoint(
  {
    summary: 'Set a new password with the token of a mailed link',
    description: 'Ends all sessions of the user, and confirms the e-mail address. A token works once.',
    caller: 'anyone',
    body: passwordReset,
    response: createMessageView('Password changed'),
    idempotent: true,
    errors: ['invalid-reset-token'],
  },
  async ({ body, header }) => {
    await resetPassword(body, readIdempotencyKey(header));
    return { message: 'Password changed' };
  },
);
