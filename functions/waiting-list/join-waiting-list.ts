import * as z from 'zod';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { entryView, joinRequest } from '../../shared/catalog/waiting-list/views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { joinWaitingList } from '../../shared/orders/waiting-list/join.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/waiting-list',
    summary: 'Join the waiting list of a tier',
    description:
      'While a tier has too few tickets for the quantity. Tickets that come free are offered in the order of joining. The caller has one open entry in each list; the same call returns it again.',
    caller: 'user',
    path: eventPath,
    body: joinRequest,
    response: z.object({ entry: entryView }),
    status: 201,
    errors: [
      'event-not-found',
      'tier-not-found',
      'no-waiting-list',
      'tickets-available',
      'not-on-sale',
      'sale-not-started',
      'sale-ended',
      'addon-alone',
      'tier-limit',
      'kyc-required',
      'email-not-verified',
      'too-many-attempts',
      'busy',
    ],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
    settings: ['ORDERS_NEED_VERIFIED_EMAIL', 'WAITING_LIST_NEEDS_VERIFIED_EMAIL', 'HOLD_PAUSE_SECONDS'],
  },
  async ({ caller, path, body }) => ({ entry: await joinWaitingList(caller.userId, path.id, body) }),
);
