import { changePassword } from '../../shared/accounts/auth/change-password.ts';
import { refreshCookieName } from '../../shared/accounts/auth/sessions.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { passwordChange } from '../../shared/accounts/users/user.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/auth/password',
    summary: 'Change the caller’s password',
    description: 'Ends all sessions of the user except the session of the refresh cookie.',
    caller: 'user',
    fresh: requireFreshSession,
    body: passwordChange,
    response: createMessageView('Password changed'),
    errors: ['wrong-credentials', 'too-many-attempts'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    secrets: ['JWT_REFRESH_SECRET'],
    settings: ['PASSWORD_HASH_ROUNDS'],
    memoryMegabytes: 1769,
  },
  async ({ body, caller, cookie }) => {
    await changePassword(caller, body, cookie(refreshCookieName));
    return { message: 'Password changed' };
  },
);
