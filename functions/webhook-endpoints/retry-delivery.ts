import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { retryDelivery } from '../../shared/catalog/webhooks/change-endpoints.ts';
import { idInput, idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { deliveryView } from '../../shared/messaging/webhooks/views.ts';
export const handler = endpoint(
  {
    route: 'POST /api/webhook-endpoints/{id}/deliveries/{deliveryId}/retry',
    summary: 'Send a message to a webhook endpoint again',
    caller: 'organizer',
    apiKey: acceptKeys('webhooks:write', 'all-events'),
    path: idPath('endpoint').extend({
      deliveryId: idInput.meta({ description: 'The id of the delivery' }),
    }),
    response: z.object({ delivery: deliveryView }),
    status: 202,
    table: ['GetItem', 'UpdateItem'],
    errors: ['endpoint-not-found', 'delivery-not-found'],
    sends: ['deliver-webhooks'],
  },
  async ({ caller, path }) => ({
    delivery: await retryDelivery(caller, path.id, path.deliveryId),
  }),
);
