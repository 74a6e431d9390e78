import * as z from 'zod';
import { webAuthnOptionsView } from '../../shared/accounts/factors/factor.ts';
import { beginPasskeyLogin } from '../../shared/accounts/factors/login-with-factor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/passkeys/login/options',
    summary: 'Get the options of a login with a passkey, or of a confirmation',
    description:
      'With an access token, they are for `POST /api/auth/confirm` in the same session. Their challenge works once, for five minutes.',
    caller: 'optional',
    query: z.object({
      challenge: z.string().max(100).optional().meta({
        description: 'The challenge of `POST /api/auth/login`, for keys that do not store their user',
      }),
    }),
    response: webAuthnOptionsView,
    table: ['GetItem', 'Query', 'PutItem'],
    settings: ['PUBLIC_URL', 'ALLOWED_ORIGINS'],
  },
  async ({ caller, query }) => ({ options: { ...(await beginPasskeyLogin(caller, query.challenge)) } }),
);
