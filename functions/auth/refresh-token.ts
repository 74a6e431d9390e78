import { refreshCookieName } from '../../shared/auth/cookie.ts';
import { refresh } from '../../shared/auth/refresh.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint({ caller: 'anyone' }, async ({ cookie }) => ({
  token: await refresh(cookie(refreshCookieName)),
}));
