import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { changeEvent } from '../../shared/catalog/events/editing/change-event.ts';
import {
  eventChangeErrorCodes,
  eventPath,
  tierCreation,
} from '../../shared/catalog/events/editing/event-input.ts';
import { addTier } from '../../shared/catalog/events/editing/revise-event.ts';
import { eventView, type TierView, tierView } from '../../shared/catalog/events/event-view.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/tiers',
    summary: 'Add a tier to an event',
    caller: 'user',
    apiKey: acceptKeys('events:write'),
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    body: tierCreation,
    response: z.object({ tier: tierView, event: eventView }),
    status: 201,
    errors: [...eventChangeErrorCodes, 'too-many-tiers'],
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem', 'Query'],
    sends: ['deliver-webhooks'],
    settings: ['TICKET_CONTRACTS', 'STOCK_SHARD_SIZE', 'MAIL_FROM'],
  },
  async ({ caller, path, body }) => {
    const event = await changeEvent(path.id, caller.userId, (before) => addTier(before, body));
    return { tier: event.tiers.at(-1) as TierView, event };
  },
);
