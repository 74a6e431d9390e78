import { changeEvent } from '../../shared/events/change-event.ts';
import { eventPath, tierCreation } from '../../shared/events/event-input.ts';
import { addTier } from '../../shared/events/tiers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  { caller: 'user', path: eventPath, body: tierCreation, status: 201 },
  async ({ caller, path, body }) => {
    const event = await changeEvent(path.id, caller.userId, (before) => addTier(before, body));
    return { tier: event.tiers.at(-1), event };
  },
);
