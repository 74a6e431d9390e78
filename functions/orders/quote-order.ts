import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { endpoint, readViewerAddress } from '../../shared/http/endpoint.ts';
import { saleErrorCodes } from '../../shared/orders/checkout/draft-order.ts';
import { quoteOrder, quoteRequest, quoteView } from '../../shared/orders/checkout/quote-order.ts';
import { paymentMethodSettings } from '../../shared/payments/payment-methods.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/quote',
    summary: 'Quote the current price of tickets, with the discount of a code',
    description: 'Reserves no tickets, and does not check whether tickets are available.',
    caller: 'optional',
    path: eventPath,
    body: quoteRequest,
    response: quoteView,
    errors: saleErrorCodes,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    secrets: ['ORIGIN_SECRET'],
    settings: paymentMethodSettings,
  },
  async ({ caller, path, body, ip, header }) => {
    const rateLimitSubject = caller?.userId ?? (await readViewerAddress({ ip, header }));
    return quoteOrder(path.id, { ...caller, rateLimitSubject }, body);
  },
);
