import * as z from 'zod';
import { setKycStatus } from '../../shared/accounts/users/change-user.ts';
import { kycDecision, userView } from '../../shared/accounts/users/user.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/users/{id}/kyc',
    summary: 'Set the KYC status of a user',
    caller: 'admin',
    path: idPath('user'),
    body: kycDecision,
    response: z.object({ user: userView }),
    errors: ['user-not-found', 'busy'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  async ({ caller, path, body }) => ({ user: await setKycStatus(path.id, body.status, caller.userId) }),
);
