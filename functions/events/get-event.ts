import * as z from 'zod';
import { codeText } from '../../shared/codes/code.ts';
import { eventPath } from '../../shared/events/editing/event-input.ts';
import { eventDetails, showEvent } from '../../shared/events/show-event.ts';
import { publicCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { viewerAddress } from '../../shared/http/viewer-address.ts';

export const handler = endpoint(
  {
    summary: 'Get an event with its tiers and the tickets left',
    description:
      'Only its organizer and its staff see a draft. Buyers see a hidden tier with a code that opens it; an unknown code shows the other tiers.',
    caller: 'optional',
    path: eventPath,
    query: z.object({ code: codeText.optional() }),
    response: eventDetails,
    errors: ['event-not-found', 'too-many-attempts'],
  },
  async ({ caller, path, query, ip, header }) => {
    const rateLimitSubject = caller?.userId ?? (await viewerAddress({ ip, header }));
    const details = await showEvent(path.id, { userId: caller?.userId, rateLimitSubject }, query.code);
    return new Reply(details, { headers: publicCaching(caller) });
  },
);
