import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { createEndpoint } from '../../shared/catalog/webhooks/change-endpoints.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { endpointInput, endpointView } from '../../shared/messaging/webhooks/views.ts';
export const handler = endpoint(
  {
    route: 'POST /api/webhook-endpoints',
    summary: 'Create a webhook endpoint',
    description:
      'The answer is the only one with the secret, by which the receiver verifies messages as Standard Webhooks describes. There can be 10 endpoints.',
    caller: 'organizer',
    apiKey: acceptKeys('webhooks:write', 'all-events'),
    // It sends orders elsewhere, also after the session. A key has no session.
    fresh: (caller) => (caller.key ? undefined : requireFreshSession(caller)),
    body: endpointInput,
    response: z.object({
      endpoint: endpointView,
      secret: z.string().meta({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
    }),
    status: 201,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    errors: ['event-not-found', 'too-many-endpoints', 'too-many-attempts'],
    sends: ['run-event-jobs', 'send-mail'],
    settings: ['WEBHOOKS_TO_LOOPBACK', 'MAIL_FROM'],
    indexes: ['byOwner'],
    timeoutSeconds: 29,
  },
  ({ caller, body }) => createEndpoint(caller, body),
);
