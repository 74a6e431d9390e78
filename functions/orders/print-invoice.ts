import { idPath } from '../../shared/core/schemas.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { invoiceQuery, printInvoice } from '../../shared/tickets/pdf/print-invoice.ts';
import { pdf, pdfHeaders } from '../../shared/tickets/pdf/print-tickets.ts';

export const handler = endpoint(
  {
    route: 'GET /api/orders/{id}/invoice.pdf',
    summary: 'Print the invoice of an order',
    description:
      'An order has an invoice if its event had a seller when it was placed and it was not free. With `refund`, the credit note of a refund. Invoices and credit notes of an organizer share one sequence of numbers without gaps.',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the buyer, or the event’s organizer and managers',
    path: idPath('order'),
    query: invoiceQuery,
    response: pdf,
    mediaType: 'application/pdf',
    errors: ['order-not-found', 'invoice-not-found', 'in-progress'],
    table: ['GetItem'],
    memoryMegabytes: 1024,
  },
  async ({ caller, path, query }) => {
    const { document, name } = await printInvoice(caller, path.id, query);
    return new Reply(document, { headers: pdfHeaders(name) });
  },
);
