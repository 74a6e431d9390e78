import * as z from 'zod';
import { apiKeyView } from '../../shared/accounts/api-keys/api-key.ts';
import { listApiKeys } from '../../shared/accounts/api-keys/change-keys.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/keys',
    summary: 'List the caller’s API keys, newest first',
    caller: 'organizer',
    response: z.object({ keys: z.array(apiKeyView) }),
    table: ['BatchGetItem', 'Query'],
  },
  async ({ caller }) => ({ keys: await listApiKeys(caller.userId) }),
);
