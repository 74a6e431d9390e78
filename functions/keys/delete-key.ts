import { deleteApiKey } from '../../shared/accounts/api-keys/change-keys.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { createMessageView, idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/keys/{id}',
    summary: 'Delete an API key',
    description: 'Requests with the key are refused within 30 seconds.',
    caller: 'organizer',
    fresh: requireFreshSession,
    path: idPath('key'),
    response: createMessageView('Key deleted'),
    errors: ['key-not-found'],
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  async ({ caller, path }) => {
    await deleteApiKey(caller.userId, path.id);
    return { message: 'Key deleted' };
  },
);
