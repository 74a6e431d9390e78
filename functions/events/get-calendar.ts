import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { toCalendarFile } from '../../shared/catalog/events/calendar.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { getVisitedEvent } from '../../shared/catalog/events/read-events.ts';
import { publicCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

const headers = {
  'content-type': 'text/calendar; charset=utf-8',
  'content-disposition': 'attachment; filename="event.ics"',
};

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/calendar',
    summary: 'Get an event as a calendar file',
    description: 'Only the organizer, the staff and the holders of tickets can get a draft.',
    caller: 'optional',
    apiKey: acceptKeys('events:read'),
    path: eventPath,
    response: z.string(),
    mediaType: 'text/calendar',
    errors: ['event-not-found'],
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['byOwner'],
    settings: ['PUBLIC_URL', 'SHOP_NAME'],
  },
  async ({ caller, path }) => {
    const event = await getVisitedEvent(path.id, caller?.userId);
    return new Reply(toCalendarFile(event), { headers: { ...headers, ...publicCaching(caller) } });
  },
);
