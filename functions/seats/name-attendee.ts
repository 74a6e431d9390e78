import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { nameAttendee } from '../../shared/tickets/seats/change-seat.ts';
import { toSeatView } from '../../shared/tickets/seats/list-seats.ts';
import { attendeeChange, seatErrorCodes, seatPath, seatView } from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/orders/{id}/seats/{number}',
    summary: 'Name the attendee of a seat',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the holder',
    path: seatPath,
    body: attendeeChange,
    response: z.object({ seat: seatView }),
    errors: [...seatErrorCodes, 'event-began'],
    table: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    secrets: ['CHECK_IN_SECRET'],
    settings: ['RETENTION_DAYS'],
  },
  async ({ caller, path: { id: orderId, number }, body }) => {
    const seat = await nameAttendee(caller, { orderId, number }, body);
    return { seat: await toSeatView(caller, seat) };
  },
);
