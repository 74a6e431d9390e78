import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { showDeliveries } from '../../shared/catalog/webhooks/change-endpoints.ts';
import { idPath, nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { deliveryView } from '../../shared/messaging/webhooks/views.ts';
export const handler = endpoint(
  {
    route: 'GET /api/webhook-endpoints/{id}/deliveries',
    summary: 'List the deliveries to a webhook endpoint, newest first',
    description: 'Deliveries are kept for 30 days.',
    caller: 'organizer',
    apiKey: acceptKeys('webhooks:write', 'all-events'),
    path: idPath('endpoint'),
    query: pageQuery,
    response: z.object({ deliveries: z.array(deliveryView), nextCursor }),
    table: ['GetItem', 'Query'],
    errors: ['endpoint-not-found'],
  },
  ({ caller, path, query }) => showDeliveries(caller, path.id, query),
);
