import { refreshCookie } from '../../shared/accounts/auth/sessions.ts';
import { passkeyLogin } from '../../shared/accounts/factors/factor.ts';
import { loginWithPasskey } from '../../shared/accounts/factors/login-with-factor.ts';
import { signedInView } from '../../shared/accounts/users/user.ts';
import { readDevice } from '../../shared/http/device.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/passkeys/login',
    summary: 'Log in with a passkey',
    caller: 'anyone',
    body: passkeyLogin,
    response: signedInView,
    refreshCookie: 'sets',
    errors: ['wrong-credentials'],
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['send-mail'],
    secrets: ['JWT_ACCESS_SECRET', 'JWT_REFRESH_SECRET', 'ORIGIN_SECRET'],
    settings: ['STAGE', 'PUBLIC_URL', 'ALLOWED_ORIGINS', 'MAIL_FROM'],
  },
  async ({ body, header }) => {
    const { user, token, refreshToken } = await loginWithPasskey(body.response, await readDevice({ header }));
    const cookies = [refreshCookie(refreshToken)];
    return new Reply({ message: 'Login successful', token, user }, { cookies });
  },
);
