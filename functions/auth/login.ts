import { login } from '../../shared/accounts/auth/login.ts';
import { refreshCookie } from '../../shared/accounts/auth/sessions.ts';
import { credentials, signedInView } from '../../shared/accounts/users/user.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { readViewerAddress } from '../../shared/http/viewer-address.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/login',
    summary: 'Log in',
    caller: 'anyone',
    body: credentials,
    response: signedInView,
    refreshCookie: 'sets',
    errors: ['wrong-credentials', 'too-many-attempts'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    secrets: ['JWT_ACCESS_SECRET', 'JWT_REFRESH_SECRET', 'ORIGIN_SECRET'],
    settings: ['STAGE'],
    memoryMegabytes: 1769,
  },
  async ({ body, ip, header }) => {
    const { user, token, refreshToken } = await login(body, await readViewerAddress({ ip, header }));
    return new Reply(
      { message: 'Login successful', token, user },
      { cookies: [refreshCookie(refreshToken)] },
    );
  },
);
