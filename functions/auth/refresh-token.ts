import { refreshAccessToken, refreshCookieName } from '../../shared/accounts/auth/sessions.ts';
import { accessTokenView } from '../../shared/accounts/users/user.ts';
import { readDevice } from '../../shared/http/device.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/refresh-token',
    summary: 'Get a new access token',
    caller: 'anyone',
    response: accessTokenView,
    refreshCookie: 'needs',
    errors: ['invalid-refresh-token'],
    table: ['GetItem', 'UpdateItem'],
    secrets: ['JWT_ACCESS_SECRET', 'JWT_REFRESH_SECRET', 'ORIGIN_SECRET'],
  },
  async ({ cookie, header }) => ({
    token: await refreshAccessToken(cookie(refreshCookieName), await readDevice({ header })),
  }),
);
