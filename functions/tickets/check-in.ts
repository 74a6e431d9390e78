import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { checkIn } from '../../shared/tickets/check-in/check-in-seat.ts';
import { checkInErrorCodes, checkInRequest, checkInView } from '../../shared/tickets/check-in/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/tickets/check-in',
    summary: 'Check in a ticket',
    description:
      'A second scan of the same code is refused with the time of the first. Codes are accepted at any time until a day after the event’s end.',
    caller: 'user',
    apiKey: acceptKeys('check-in'),
    callerDescription: 'the event’s organizer and staff, or an admin',
    body: checkInRequest,
    response: z.object({ checkIn: checkInView }),
    errors: checkInErrorCodes,
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'Query', 'PutItem'],
    secrets: ['CHECK_IN_SECRET'],
    sends: ['mint-tickets', 'deliver-webhooks'],
    settings: ['STAGE'],
    chains: true,
    memoryMegabytes: 1024,
  },
  async ({ caller, body }) => ({ checkIn: await checkIn(caller, body) }),
);
