import * as z from 'zod';
import { changeEvent } from '../../shared/events/editing/change-event.ts';
import { changeRefusals, eventChange, eventPath } from '../../shared/events/editing/event-input.ts';
import { reviseEvent } from '../../shared/events/editing/revise-event.ts';
import { eventView } from '../../shared/events/event-view.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'Change an event, publish or cancel it',
    description: 'Only what is sent changes. Cancelling is final: it ends sales and makes refunds due.',
    caller: 'user',
    who: 'the event’s organizer',
    path: eventPath,
    body: eventChange,
    response: z.object({ event: eventView }),
    errors: [...changeRefusals, 'tickets-sold', 'event-cancelled', 'several-tiers', 'price-too-precise'],
  },
  async ({ caller, path, body }) => ({
    event: await changeEvent(path.id, caller.userId, (event) => reviseEvent(event, body)),
  }),
);
