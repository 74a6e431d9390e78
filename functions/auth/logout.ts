import * as z from 'zod';
import { logout, refreshCookie, refreshCookieName } from '../../shared/accounts/auth/sessions.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

const query = z.object({
  everywhere: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: '`true` ends all sessions of the user' }),
});

export const handler = endpoint(
  {
    route: 'POST /api/auth/logout',
    summary: 'Log out of this session or of all sessions',
    caller: 'anyone',
    query,
    response: createMessageView('Logged out'),
    refreshCookie: 'clears',
    table: ['GetItem', 'Query', 'DeleteItem'],
    secrets: ['JWT_REFRESH_SECRET'],
    settings: ['STAGE'],
  },
  async ({ query, cookie }) => {
    await logout(cookie(refreshCookieName), { everywhere: query.everywhere === 'true' });
    return new Reply({ message: 'Logged out' }, { cookies: [refreshCookie('')] });
  },
);
