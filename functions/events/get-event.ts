import * as z from 'zod';
import { eventPath } from '../../shared/events/editing/event-input.ts';
import { eventView } from '../../shared/events/event-view.ts';
import { getVisibleEvent, viewOf } from '../../shared/events/read-events.ts';
import { publicCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'Get an event with its tiers and the tickets left',
    description: 'Only its organizer and its staff see a draft.',
    caller: 'optional',
    path: eventPath,
    response: z.object({ event: eventView }),
    errors: ['event-not-found'],
  },
  async ({ caller, path }) => {
    const event = await viewOf(await getVisibleEvent(path.id, caller?.userId));
    return new Reply({ event }, { headers: publicCaching(caller) });
  },
);
