import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readOrder, showOrder } from '../../shared/orders/read-orders.ts';
import { findTicketMail } from '../../shared/orders/ticket-mail.ts';
import { listAdmissionsForBuyer, listSeatsForOrganizer } from '../../shared/tickets/check-in/admissions.ts';
import { orderWithAdmissions } from '../../shared/tickets/check-in/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/orders/{id}',
    summary: 'Get an order, with check-in codes for its buyer',
    caller: 'user',
    callerDescription: 'the buyer, or the event’s organizer and managers',
    path: idPath('order'),
    response: z.object({ order: orderWithAdmissions }),
    errors: ['order-not-found'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
    secrets: ['CHECK_IN_SECRET'],
  },
  async ({ caller: { userId }, path }) => {
    const order = await readOrder(userId, path.id);
    const [view, admissions, seats, mail] = await Promise.all([
      showOrder(order),
      listAdmissionsForBuyer(order, userId),
      listSeatsForOrganizer(order, userId),
      findTicketMail(order),
    ]);
    return { order: { ...view, admissions, seats, mail } };
  },
);
