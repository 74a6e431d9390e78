import * as z from 'zod';
import { eventPath } from '../../shared/events/editing/event-input.ts';
import { eventView } from '../../shared/events/event-view.ts';
import { getVisibleEvent, viewOf } from '../../shared/events/read-events.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'Get an event with its tiers and the tickets left',
    description: 'Only its organizer sees a draft.',
    caller: 'optional',
    path: eventPath,
    response: z.object({ event: eventView }),
    errors: ['event-not-found'],
  },
  async ({ caller, path }) => ({ event: await viewOf(await getVisibleEvent(path.id, caller?.userId)) }),
);
