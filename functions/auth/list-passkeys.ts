import * as z from 'zod';
import { passkeyView, toPasskeyView } from '../../shared/accounts/factors/factor.ts';
import { readFactors } from '../../shared/accounts/factors/store.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/auth/passkeys',
    summary: 'List the second factors of the caller’s account',
    caller: 'user',
    response: z.object({
      passkeys: z.array(passkeyView),
      totp: z.boolean().meta({ description: 'Whether an authenticator app is active' }),
      recoveryCodes: z.number().meta({ description: 'How many recovery codes are left' }),
    }),
    table: ['Query'],
  },
  async ({ caller }) => {
    const { passkeys, totp, recoveryCodes } = await readFactors(caller.userId);
    return { passkeys: passkeys.map(toPasskeyView), totp: totp !== undefined, recoveryCodes };
  },
);
