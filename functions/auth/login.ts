import * as z from 'zod';
import { login } from '../../shared/accounts/auth/login.ts';
import { refreshCookie } from '../../shared/accounts/auth/sessions.ts';
import { credentials, loginChallengeView, signedInView } from '../../shared/accounts/users/user.ts';
import { readDevice } from '../../shared/http/device.ts';
import { endpoint, Reply, readViewerAddress } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/login',
    summary: 'Log in',
    description:
      'The response for an account with a passkey or an authenticator app is a challenge. `POST /api/auth/login/verify` completes the login.',
    caller: 'anyone',
    body: credentials,
    response: z.union([signedInView, loginChallengeView]),
    refreshCookie: 'sets',
    errors: ['wrong-credentials', 'too-many-attempts'],
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    sends: ['send-mail'],
    secrets: ['JWT_ACCESS_SECRET', 'JWT_REFRESH_SECRET', 'ORIGIN_SECRET'],
    settings: ['STAGE', 'PASSWORD_HASH_ROUNDS', 'MAIL_FROM'],
    memoryMegabytes: 1769,
  },
  async ({ body, ip, header }) => {
    const result = await login(body, await readViewerAddress({ ip, header }), await readDevice({ header }));
    if ('challenge' in result) return result;
    const { user, token, refreshToken } = result;
    return new Reply(
      { message: 'Login successful', token, user },
      { cookies: [refreshCookie(refreshToken)] },
    );
  },
);
