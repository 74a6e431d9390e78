import * as z from 'zod';
import { refreshCookie, refreshCookieName } from '../../shared/auth/cookie.ts';
import { logout } from '../../shared/auth/logout.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

const query = z.object({ everywhere: z.enum(['true', 'false']).default('false') });

export const handler = endpoint({ caller: 'anyone', query }, async ({ query, cookie }) => {
  await logout(cookie(refreshCookieName), { everywhere: query.everywhere === 'true' });
  return new Reply({ message: 'Logged out' }, { cookies: [refreshCookie('')] });
});
