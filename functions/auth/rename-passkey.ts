import * as z from 'zod';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { changePasskey } from '../../shared/accounts/factors/change-factors.ts';
import {
  passkeyChange,
  passkeyPath,
  passkeyView,
  toPasskeyView,
} from '../../shared/accounts/factors/factor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'PATCH /api/auth/passkeys/{id}',
    summary: 'Rename a passkey',
    caller: 'user',
    fresh: requireFreshSession,
    path: passkeyPath,
    body: passkeyChange,
    response: z.object({ passkey: passkeyView }),
    errors: ['passkey-not-found'],
    table: ['Query', 'UpdateItem'],
  },
  async ({ caller, path, body }) => ({
    passkey: toPasskeyView(await changePasskey(caller.userId, path.id, body.name)),
  }),
);
