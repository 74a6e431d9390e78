import { confirmSession } from '../../shared/accounts/auth/confirm-session.ts';
import { confirmation } from '../../shared/accounts/factors/factor.ts';
import { accessTokenView } from '../../shared/accounts/users/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/confirm',
    summary: 'Confirm the caller’s session',
    description:
      'After a `confirmation-required`: with a code, a recovery code or a passkey’s response to `POST /api/auth/passkeys/login/options`; with the password where the account has no second factor. The response has an access token whose session is fresh for ten minutes; one from a refresh is not.',
    caller: 'user',
    body: confirmation,
    response: accessTokenView,
    errors: ['wrong-credentials', 'confirmation-required', 'too-many-attempts'],
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    settings: ['PASSWORD_HASH_ROUNDS', 'PUBLIC_URL', 'ALLOWED_ORIGINS'],
    memoryMegabytes: 1769,
  },
  async ({ caller, body }) => ({ token: await confirmSession(caller, body) }),
);
