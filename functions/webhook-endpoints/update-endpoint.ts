import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { replaceEndpoint } from '../../shared/catalog/webhooks/change-endpoints.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { endpointInput, endpointView } from '../../shared/messaging/webhooks/views.ts';
export const handler = endpoint(
  {
    route: 'PUT /api/webhook-endpoints/{id}',
    summary: 'Replace the fields of a webhook endpoint',
    description: 'Enables an endpoint that was disabled, unless `enabled` is false.',
    caller: 'organizer',
    apiKey: acceptKeys('webhooks:write', 'all-events'),
    // It sends orders elsewhere, also after the session. A key has no session.
    fresh: (caller) => (caller.key ? undefined : requireFreshSession(caller)),
    path: idPath('endpoint'),
    body: endpointInput,
    response: z.object({ endpoint: endpointView }),
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    errors: ['endpoint-not-found', 'event-not-found', 'too-many-attempts'],
    sends: ['send-mail'],
    settings: ['WEBHOOKS_TO_LOOPBACK', 'MAIL_FROM'],
  },
  async ({ caller, path, body }) => ({ endpoint: await replaceEndpoint(caller, path.id, body) }),
);
