import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { checkInWithoutCode } from '../../shared/tickets/check-in/check-in-seat.ts';
import {
  admissionErrorCodes,
  checkInView,
  manualCheckInRequest,
} from '../../shared/tickets/check-in/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/admissions',
    summary: 'Check in a ticket without its code',
    description:
      'For a visitor who can’t show the code, such as with an empty phone: the staff find the order by the buyer’s name with `GET /api/events/{id}/admissions`. The audit trail has who admitted the seat.',
    caller: 'user',
    apiKey: acceptKeys('check-in'),
    callerDescription: 'the event’s organizer and staff',
    path: idPath('event'),
    body: manualCheckInRequest,
    response: z.object({ checkIn: checkInView }),
    errors: [...admissionErrorCodes, 'event-not-found'],
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'Query', 'PutItem'],
    sends: ['mint-tickets', 'deliver-webhooks'],
    settings: ['STAGE'],
    chains: true,
    memoryMegabytes: 1024,
  },
  async ({ caller, path, body }) => ({ checkIn: await checkInWithoutCode(caller, path.id, body) }),
);
