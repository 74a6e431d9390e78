import * as z from 'zod';
import { entryView } from '../../shared/catalog/waiting-list/views.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { leaveWaitingList } from '../../shared/orders/waiting-list/join.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/waiting-list/{id}',
    summary: 'Leave a waiting list, or decline its offer',
    description:
      'The tickets of a declined offer are offered to the next. An entry that has ended stays as it is.',
    caller: 'user',
    path: idPath('entry'),
    response: z.object({ entry: entryView }),
    errors: ['entry-not-found', 'busy'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
    settings: ['HOLD_PAUSE_SECONDS'],
  },
  async ({ caller, path }) => ({ entry: await leaveWaitingList(caller.userId, path.id) }),
);
