import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { pdf, pdfHeaders, printQuery, printSeat } from '../../shared/tickets/pdf/print-tickets.ts';
import { seatPath } from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/orders/{id}/seats/{number}/ticket.pdf',
    summary: 'Print the ticket of a seat',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the holder',
    path: seatPath,
    query: printQuery,
    response: pdf,
    mediaType: 'application/pdf',
    errors: ['seat-not-found', 'moved', 'not-paid', 'event-cancelled', 'refunded', 'no-seat'],
    table: ['GetItem', 'BatchGetItem'],
    secrets: ['CHECK_IN_SECRET'],
    settings: ['PUBLIC_URL'],
    memoryMegabytes: 1024,
  },
  async ({ caller, path: { id: orderId, number }, query }) =>
    new Reply(await printSeat(caller, { orderId, number }, query), { headers: pdfHeaders('ticket') }),
);
