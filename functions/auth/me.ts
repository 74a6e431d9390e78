import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { getUser } from '../../shared/users/store.ts';
import { userView } from '../../shared/users/user.ts';

export const handler = endpoint(
  {
    summary: 'Get the caller’s profile',
    caller: 'user',
    response: z.object({ user: userView }),
    errors: ['user-not-found'],
  },
  async ({ caller }) => ({ user: await getUser(caller.userId) }),
);
