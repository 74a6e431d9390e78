import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { undoAdmission } from '../../shared/tickets/check-in/undo-admission.ts';
import { undoneAdmission, undoneQuery } from '../../shared/tickets/check-in/views.ts';
import { seatPath } from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/orders/{id}/seats/{number}/admission',
    summary: 'Undo the admission of a seat',
    description: 'The code is admitted again. The audit trail has who undid the admission.',
    caller: 'user',
    callerDescription:
      'whoever scanned the ticket, for two minutes; the event’s organizer and managers, always',
    path: seatPath,
    query: undoneQuery,
    response: z.object({ seat: undoneAdmission }),
    errors: ['seat-not-found', 'forbidden', 'busy'],
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem'],
    settings: ['RETENTION_DAYS'],
  },
  async ({ caller, path: { id: orderId, number }, query }) => ({
    seat: await undoAdmission(caller, { orderId, number }, query.checkedInAt),
  }),
);
