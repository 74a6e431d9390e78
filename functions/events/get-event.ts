import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { eventDetails, showEvent } from '../../shared/catalog/events/read-events.ts';
import { codeText } from '../../shared/catalog/promo-codes/code.ts';
import { publicCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply, readViewerAddress } from '../../shared/http/endpoint.ts';
import { paymentMethodSettings } from '../../shared/payments/payment-methods.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}',
    summary: 'Get an event with its tiers and available tickets',
    description:
      'Only the organizer, the staff and the holders of tickets can get a draft. Buyers see a hidden tier only with a code that reveals it. With an unknown code, they see the other tiers.',
    caller: 'optional',
    apiKey: acceptKeys('events:read'),
    path: eventPath,
    query: z.object({ code: codeText.optional() }),
    response: eventDetails,
    errors: ['event-not-found', 'too-many-attempts'],
    // The writes count attempts with unknown codes.
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'Query'],
    indexes: ['byOwner'],
    secrets: ['ORIGIN_SECRET'],
    settings: ['TICKET_CONTRACTS', ...paymentMethodSettings],
    memoryMegabytes: 1024,
  },
  async ({ caller, path, query, ip, header }) => {
    const rateLimitSubject = caller?.userId ?? (await readViewerAddress({ ip, header }));
    const details = await showEvent(path.id, { userId: caller?.userId, rateLimitSubject }, query.code);
    return new Reply(details, { headers: publicCaching(caller) });
  },
);
