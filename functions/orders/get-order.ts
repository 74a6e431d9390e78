import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { readOrder, showOrder } from '../../shared/orders/read-orders.ts';
import { findTicketMail } from '../../shared/orders/ticket-mail.ts';
import {
  listAdmissionsForBuyer,
  listAnswers,
  listSeatsForOrganizer,
} from '../../shared/tickets/check-in/admissions.ts';
import { orderWithAdmissions } from '../../shared/tickets/check-in/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/orders/{id}',
    summary: 'Get an order, with check-in codes for its buyer',
    caller: 'user',
    apiKey: acceptKeys('orders:read'),
    orderToken: orderTokenById,
    callerDescription: 'the buyer, or the event’s organizer and managers',
    path: idPath('order'),
    response: z.object({ order: orderWithAdmissions }),
    errors: ['order-not-found'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
    secrets: ['CHECK_IN_SECRET'],
  },
  async ({ caller, path }) => {
    const order = await readOrder(caller, path.id);
    const [view, admissions, seats, answers, mail] = await Promise.all([
      showOrder(order),
      listAdmissionsForBuyer(order, caller),
      listSeatsForOrganizer(order, caller),
      listAnswers(order, caller),
      findTicketMail(order),
    ]);
    return { order: { ...view, admissions, seats, answers, mail } };
  },
);
