import * as z from 'zod';
import { reusable } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { bankQuery, bankView } from '../../shared/payouts/bank-view.ts';
import { listBanks } from '../../shared/payouts/list-banks.ts';

export const handler = endpoint(
  {
    summary: 'List the banks that a gateway pays out to',
    description: 'All banks, by name. The list comes from the gateway; gateway-c has none (404).',
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
  },
  async ({ query }) => new Reply({ banks: await listBanks(query) }, { headers: reusable }),
);
