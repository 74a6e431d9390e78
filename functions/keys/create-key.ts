import * as z from 'zod';
import { apiKeyCreation, apiKeyView } from '../../shared/accounts/api-keys/api-key.ts';
import { createApiKey } from '../../shared/accounts/api-keys/change-keys.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/keys',
    summary: 'Create an API key',
    description:
      'The answer is the only one with the secret. A request with `authorization: Bearer <secret>` acts as the organizer, within the scopes of the key. It may be used 600 times a minute.',
    caller: 'organizer',
    fresh: requireFreshSession,
    body: apiKeyCreation,
    response: z.object({
      key: apiKeyView,
      secret: z.string().meta({ examples: [`bxo_live_${'0123456789abcdef'.repeat(4)}a3c1f0d2`] }),
    }),
    status: 201,
    errors: ['event-not-found', 'too-many-keys', 'too-many-attempts'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    sends: ['send-mail'],
    settings: ['MAIL_FROM'],
  },
  ({ caller, body }) => createApiKey(caller, body),
);
