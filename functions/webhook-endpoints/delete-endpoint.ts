import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { deleteEndpoint } from '../../shared/catalog/webhooks/change-endpoints.ts';
import { createMessageView, idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
export const handler = endpoint(
  {
    route: 'DELETE /api/webhook-endpoints/{id}',
    summary: 'Delete a webhook endpoint',
    caller: 'organizer',
    apiKey: acceptKeys('webhooks:write', 'all-events'),
    path: idPath('endpoint'),
    response: createMessageView('Endpoint deleted'),
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'DeleteItem'],
    errors: ['endpoint-not-found'],
    sends: ['run-event-jobs'],
    indexes: ['byOwner'],
    timeoutSeconds: 29,
  },
  async ({ caller, path }) => {
    await deleteEndpoint(caller, path.id);
    return { message: 'Endpoint deleted' };
  },
);
