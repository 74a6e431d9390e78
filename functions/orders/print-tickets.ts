import { idPath } from '../../shared/core/schemas.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { pdf, pdfHeaders, printOrder, printOrderQuery } from '../../shared/tickets/pdf/print-tickets.ts';

export const handler = endpoint(
  {
    route: 'GET /api/orders/{id}/tickets.pdf',
    summary: 'Print the tickets of an order',
    description:
      'One page a ticket, with its QR code, for the tickets that the buyer still holds. Orders of more than 50 tickets are printed in parts: the header x-pages has their number.',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the buyer, or the event’s organizer and managers',
    path: idPath('order'),
    query: printOrderQuery,
    response: pdf,
    mediaType: 'application/pdf',
    errors: ['order-not-found', 'not-paid', 'event-cancelled', 'refunded', 'no-seat', 'moved'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
    secrets: ['CHECK_IN_SECRET'],
    settings: ['PUBLIC_URL'],
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  async ({ caller, path, query }) => {
    const { document, pageCount } = await printOrder(caller, path.id, query);
    return new Reply(document, { headers: { ...pdfHeaders('tickets'), 'x-pages': String(pageCount) } });
  },
);
