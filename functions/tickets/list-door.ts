import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { compressedReply } from '../../shared/http/compressed.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listDoor } from '../../shared/tickets/door/list-door.ts';
import { doorQuery, doorView } from '../../shared/tickets/door/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/door',
    summary: 'List the seats of an event for a device at the door, which can then admit them without network',
    description:
      'Pages until `isComplete`; from then on the cursor answers what has changed: seats that were sold, transferred, refunded or admitted. When `isFirst` comes back, the list begins anew. It contains no codes and no addresses, and is compressed for clients that accept gzip.',
    caller: 'user',
    apiKey: acceptKeys('check-in'),
    callerDescription: 'the event’s organizer and staff',
    path: idPath('event'),
    query: doorQuery,
    response: doorView,
    errors: ['forbidden', 'event-not-found', 'invalid-cursor'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
    indexes: ['byEvent'],
    secrets: ['CHECK_IN_SECRET'],
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  async ({ caller, path, query, header }) => compressedReply(header, await listDoor(caller, path.id, query)),
);
