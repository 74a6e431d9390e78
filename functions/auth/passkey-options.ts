import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { beginPasskey } from '../../shared/accounts/factors/add-passkey.ts';
import { webAuthnOptionsView } from '../../shared/accounts/factors/factor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/passkeys/options',
    summary: 'Get the options of a new passkey',
    description: 'Their challenge works once, for five minutes, in the same session.',
    caller: 'user',
    fresh: requireFreshSession,
    response: webAuthnOptionsView,
    errors: ['user-not-found', 'too-many-passkeys'],
    table: ['GetItem', 'Query', 'PutItem'],
    settings: ['PUBLIC_URL', 'ALLOWED_ORIGINS', 'SHOP_NAME'],
  },
  async ({ caller }) => ({ options: { ...(await beginPasskey(caller)) } }),
);
