import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { createMessageView, idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { requestErasure } from '../../shared/privacy/request-erasure.ts';

export const handler = endpoint(
  {
    route: 'POST /api/users/{id}/erasure',
    summary: 'Close an account and erase the person’s data',
    description:
      'Removes names, e-mail addresses and the wallet from the account at once, and from orders, seats and notifications within half an hour. Records of money and tokens remain, without personal data. An erasure can’t be undone.',
    caller: 'user',
    callerDescription: 'the user, or an admin',
    fresh: requireFreshSession,
    path: idPath('user'),
    response: createMessageView('The account is closed'),
    errors: ['user-not-found', 'unfinished-business', 'busy'],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['byOwner'],
    sends: ['run-event-jobs'],
    // A user can have thousands of orders.
    timeoutSeconds: 25,
  },
  async ({ path, caller }) => {
    await requestErasure(path.id, caller);
    return { message: 'The account is closed' };
  },
);
