import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { changeEvent } from '../../shared/catalog/events/editing/change-event.ts';
import {
  eventChangeErrorCodes,
  tierChange,
  tierPath,
} from '../../shared/catalog/events/editing/event-input.ts';
import { changeTier } from '../../shared/catalog/events/editing/revise-event.ts';
import { eventView, type TierView, tierView } from '../../shared/catalog/events/event-view.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/events/{id}/tiers/{tierId}',
    summary: 'Update a tier',
    caller: 'user',
    apiKey: acceptKeys('events:write'),
    callerDescription: 'the event’s organizer and managers',
    path: tierPath,
    body: tierChange,
    response: z.object({ tier: tierView, event: eventView }),
    errors: [...eventChangeErrorCodes, 'tier-not-found'],
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem', 'DeleteItem', 'Query'],
    sends: ['deliver-webhooks'],
    settings: ['TICKET_CONTRACTS', 'STOCK_SHARD_SIZE', 'MAIL_FROM'],
  },
  async ({ caller, path: { id, tierId }, body }) => {
    const event = await changeEvent(id, caller.userId, (before) => changeTier(before, tierId, body));
    return { tier: event.tiers.find((tier) => tier.id === tierId) as TierView, event };
  },
);
