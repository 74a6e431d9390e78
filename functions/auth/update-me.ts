import * as z from 'zod';
import { changeUser } from '../../shared/accounts/users/store.ts';
import { profileChange, userView } from '../../shared/accounts/users/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'PATCH /api/auth/me',
    summary: 'Update the caller’s name or wallet',
    caller: 'user',
    body: profileChange,
    response: z.object({ user: userView }),
    errors: ['user-not-found'],
    table: ['UpdateItem'],
  },
  async ({ caller, body }) => ({
    user: await changeUser(caller.userId, body, new Date().toISOString()),
  }),
);
