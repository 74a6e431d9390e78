import { changePassword } from '../../shared/accounts/auth/change-password.ts';
import { refreshCookie, refreshCookieName } from '../../shared/accounts/auth/sessions.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { passwordChange } from '../../shared/accounts/users/user.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/auth/password',
    summary: 'Change the caller’s password',
    description:
      'Ends all sessions of the user except the session of the refresh cookie, which gets another cookie.',
    caller: 'user',
    fresh: requireFreshSession,
    body: passwordChange,
    response: createMessageView('Password changed'),
    refreshCookie: 'sets',
    errors: ['wrong-credentials', 'too-many-attempts'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    secrets: ['JWT_REFRESH_SECRET'],
    settings: ['PASSWORD_HASH_ROUNDS', 'STAGE'],
    memoryMegabytes: 1769,
  },
  async ({ body, caller, cookie }) => {
    const refreshToken = await changePassword(caller, body, cookie(refreshCookieName));
    const cookies = refreshToken === undefined ? [] : [refreshCookie(refreshToken)];
    return new Reply({ message: 'Password changed' }, { cookies });
  },
);
