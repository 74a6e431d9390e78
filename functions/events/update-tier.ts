import { changeEvent } from '../../shared/events/change-event.ts';
import { tierChange, tierPath } from '../../shared/events/event-input.ts';
import { changeTier } from '../../shared/events/tiers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  { caller: 'user', path: tierPath, body: tierChange },
  async ({ caller, path: { id, tierId }, body }) => {
    const event = await changeEvent(id, caller.userId, (before) => changeTier(before, tierId, body));
    return { tier: event.tiers.find((tier) => tier.id === tierId), event };
  },
);
