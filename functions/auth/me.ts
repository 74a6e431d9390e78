import * as z from 'zod';
import { getUser } from '../../shared/accounts/users/store.ts';
import { userView } from '../../shared/accounts/users/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/auth/me',
    summary: 'Get the caller’s profile',
    caller: 'user',
    response: z.object({ user: userView }),
    errors: ['user-not-found'],
    table: ['GetItem'],
  },
  async ({ caller }) => ({ user: await getUser(caller.userId) }),
);
