import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { changeUser } from '../../shared/users/store.ts';
import { kycDecision, userView } from '../../shared/users/user.ts';

export const handler = endpoint(
  {
    summary: 'Set the KYC status of a user',
    caller: 'admin',
    path: idPath,
    body: kycDecision,
    response: z.object({ user: userView }),
    errors: ['user-not-found'],
  },
  async ({ path, body }) => ({
    user: await changeUser(path.id, { kycStatus: body.status }, new Date().toISOString()),
  }),
);
