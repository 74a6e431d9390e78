import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { showOccurrences } from '../../shared/catalog/webhooks/change-endpoints.ts';
import { idInput, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { occurrenceView } from '../../shared/messaging/webhooks/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/occurrences',
    summary: 'List what webhooks reported, oldest first',
    description:
      'For 30 days, and from a minute after it happened. A receiver that was down passes the last id that it has handled.',
    caller: 'organizer',
    apiKey: acceptKeys('orders:read'),
    query: pageQuery.pick({ limit: true }).extend({
      after: idInput.optional().meta({ description: 'Only what happened after the occurrence with this id' }),
    }),
    response: z.object({
      occurrences: z.array(occurrenceView),
      isComplete: z.boolean().meta({ description: 'Whether there are no others yet' }),
    }),
    table: ['Query'],
  },
  ({ caller, query }) => showOccurrences(caller, query),
);
