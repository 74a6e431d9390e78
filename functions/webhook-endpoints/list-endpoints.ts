import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { listEndpoints } from '../../shared/catalog/webhooks/change-endpoints.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { endpointView } from '../../shared/messaging/webhooks/views.ts';
export const handler = endpoint(
  {
    route: 'GET /api/webhook-endpoints',
    summary: 'List the caller’s webhook endpoints',
    caller: 'organizer',
    apiKey: acceptKeys('webhooks:write', 'all-events'),
    response: z.object({ endpoints: z.array(endpointView) }),
    table: ['Query'],
  },
  async ({ caller }) => ({ endpoints: await listEndpoints(caller) }),
);
