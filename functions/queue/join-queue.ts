import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { joinedView } from '../../shared/catalog/queue/views.ts';
import { endpoint, readViewerAddress } from '../../shared/http/endpoint.ts';
import { joinQueue } from '../../shared/orders/queue/join-queue.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/queue',
    summary: 'Join the queue of an event, or show the caller’s place in it',
    description:
      'A user has one place in a queue. Places that joined before `drawAt` are drawn, all others follow in the order of joining. Call it again after the draw: the ticket then has the number.',
    caller: 'user',
    path: eventPath,
    response: joinedView,
    errors: [
      'event-not-found',
      'no-queue',
      'queue-not-open',
      'queue-ended',
      'kyc-required',
      'email-not-verified',
      'too-many-attempts',
    ],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    secrets: ['ORIGIN_SECRET'],
    settings: ['QUEUE_TURN_MINUTES', 'QUEUE_PLACES_PER_ADDRESS', 'ORDERS_NEED_VERIFIED_EMAIL'],
    memoryMegabytes: 1024,
  },
  async ({ caller, path, ip, header }) =>
    joinQueue(caller.userId, path.id, await readViewerAddress({ ip, header })),
);
