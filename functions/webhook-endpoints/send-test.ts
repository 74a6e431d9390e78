import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { sendTest } from '../../shared/catalog/webhooks/change-endpoints.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { deliveryView } from '../../shared/messaging/webhooks/views.ts';
export const handler = endpoint(
  {
    route: 'POST /api/webhook-endpoints/{id}/test',
    summary: 'Send a test to a webhook endpoint',
    description: 'Its type is `endpoint.test`.',
    caller: 'organizer',
    apiKey: acceptKeys('webhooks:write', 'all-events'),
    path: idPath('endpoint'),
    response: z.object({ delivery: deliveryView }),
    status: 202,
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    errors: ['endpoint-not-found', 'too-many-attempts'],
    sends: ['deliver-webhooks'],
  },
  async ({ caller, path }) => ({ delivery: await sendTest(caller, path.id) }),
);
