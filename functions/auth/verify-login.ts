import { refreshCookie } from '../../shared/accounts/auth/sessions.ts';
import { secondFactorLogin } from '../../shared/accounts/factors/factor.ts';
import { completeLogin } from '../../shared/accounts/factors/login-with-factor.ts';
import { signedInView } from '../../shared/accounts/users/user.ts';
import { readDevice } from '../../shared/http/device.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/login/verify',
    summary: 'Complete a login with a second factor',
    description:
      'With the challenge of the login, and a code of the authenticator app, a recovery code, or the response of a passkey.',
    caller: 'anyone',
    body: secondFactorLogin,
    response: signedInView,
    refreshCookie: 'sets',
    errors: ['invalid-challenge', 'wrong-credentials', 'too-many-attempts'],
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['send-mail'],
    secrets: ['JWT_ACCESS_SECRET', 'JWT_REFRESH_SECRET', 'ORIGIN_SECRET'],
    settings: ['STAGE', 'PUBLIC_URL', 'ALLOWED_ORIGINS', 'MAIL_FROM'],
  },
  async ({ body, header }) => {
    const { user, token, refreshToken } = await completeLogin(body, await readDevice({ header }));
    const cookies = [refreshCookie(refreshToken)];
    return new Reply({ message: 'Login successful', token, user }, { cookies });
  },
);
