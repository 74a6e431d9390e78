import { refreshCookieName } from '../../shared/auth/cookie.ts';
import { refreshAccessToken } from '../../shared/auth/sessions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { accessTokenView } from '../../shared/users/user.ts';

export const handler = endpoint(
  {
    summary: 'Get a new access token',
    caller: 'anyone',
    response: accessTokenView,
    refreshCookie: 'needs',
    errors: ['invalid-refresh-token'],
  },
  async ({ cookie }) => ({ token: await refreshAccessToken(cookie(refreshCookieName)) }),
);
