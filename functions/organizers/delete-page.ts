import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { deletePage } from '../../shared/catalog/organizer-page/change-page.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/organizer/page',
    summary: 'Delete the caller’s page',
    description:
      'Events, tickets, passes and mails lose its name, contact and color; what has been sent stays as it is. The address is free for every organizer at once.',
    caller: 'organizer',
    apiKey: acceptKeys('events:write', 'all-events'),
    response: createMessageView('Page deleted'),
    errors: ['page-not-found', 'busy'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['byOwner'],
    sends: ['run-event-jobs', 'resize-pictures'],
    timeoutSeconds: 29,
  },
  async ({ caller }) => {
    await deletePage(caller.userId);
    return { message: 'Page deleted' };
  },
);
