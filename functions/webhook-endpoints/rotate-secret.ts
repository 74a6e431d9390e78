import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { rotateSecret } from '../../shared/catalog/webhooks/change-endpoints.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { endpointView } from '../../shared/messaging/webhooks/views.ts';
export const handler = endpoint(
  {
    route: 'POST /api/webhook-endpoints/{id}/rotate',
    summary: 'Replace the secret of a webhook endpoint',
    description: 'For a day, messages are signed with both secrets.',
    caller: 'organizer',
    apiKey: acceptKeys('webhooks:write', 'all-events'),
    // Its holder can forge messages to the receiver, also after the session. A key has no session.
    fresh: (caller) => (caller.key ? undefined : requireFreshSession(caller)),
    path: idPath('endpoint'),
    response: z.object({
      endpoint: endpointView,
      secret: z.string().meta({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
    }),
    table: ['GetItem', 'UpdateItem', 'ConditionCheckItem'],
    errors: ['endpoint-not-found'],
  },
  ({ caller, path }) => rotateSecret(caller, path.id),
);
