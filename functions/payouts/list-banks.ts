import * as z from 'zod';
import { hourCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { listBanks } from '../../shared/money/payouts/request-payout.ts';
import { bankQuery, bankView } from '../../shared/money/payouts/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/banks',
    summary: 'List the banks that a gateway pays out to',
    description:
      'Returns all banks that the gateway offers, sorted by name. gateway-c has no list and returns 404.',
    caller: 'organizer',
    query: bankQuery,
    response: z.object({ banks: z.array(bankView) }),
    errors: [
      'currency-not-supported',
      'banks-not-found',
      'provider-failed',
      'gateway-not-configured',
      'unavailable',
    ],
    // The table has the state of the circuit breaker.
    table: ['GetItem', 'UpdateItem', 'DeleteItem'],
    secrets: ['GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY'],
    settings: ['GATEWAY_A_URL', 'GATEWAY_B_URL'],
  },
  async ({ query }) => new Reply({ banks: await listBanks(query) }, { headers: hourCaching }),
);
