import * as z from 'zod';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { changeProfile } from '../../shared/accounts/users/change-user.ts';
import { profileChange, userView } from '../../shared/accounts/users/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'PATCH /api/auth/me',
    summary: 'Update the caller’s name or wallet',
    caller: 'user',
    fresh: (caller, { walletAddress }) =>
      walletAddress === undefined ? undefined : requireFreshSession(caller),
    body: profileChange,
    response: z.object({ user: userView }),
    errors: ['user-not-found'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    sends: ['send-mail'],
    settings: ['MAIL_FROM'],
  },
  async ({ caller, body }) => ({
    user: await changeProfile(caller, body),
  }),
);
