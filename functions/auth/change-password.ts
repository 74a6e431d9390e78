import { changePassword } from '../../shared/auth/change-password.ts';
import { refreshCookieName } from '../../shared/auth/cookie.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { passwordChange } from '../../shared/users/user.ts';

export const handler = endpoint(
  {
    summary: 'Change the caller’s password',
    description: 'Ends all sessions of the user except the session of the refresh cookie.',
    caller: 'user',
    body: passwordChange,
    response: createMessageView('Password changed'),
    errors: ['wrong-credentials', 'too-many-attempts'],
  },
  async ({ body, caller, cookie }) => {
    await changePassword(caller, body, cookie(refreshCookieName));
    return { message: 'Password changed' };
  },
);
