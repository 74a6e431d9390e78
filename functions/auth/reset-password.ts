import { resetPassword } from '../../shared/auth/reset-password.ts';
import { messageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idempotencyKey } from '../../shared/http/idempotency.ts';
import { passwordReset } from '../../shared/users/user.ts';

export const handler = endpoint(
  {
    summary: 'Set a new password by the link of a mail',
    description: 'Ends all sessions of the user, and confirms the e-mail address. A token works once.',
    caller: 'anyone',
    body: passwordReset,
    response: messageView('Password changed'),
    idempotent: true,
    errors: ['invalid-reset-token'],
  },
  async ({ body, header }) => {
    await resetPassword(body, idempotencyKey(header));
    return { message: 'Password changed' };
  },
);
