import * as z from 'zod';
import { entryView } from '../../shared/catalog/waiting-list/views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listOwnEntries } from '../../shared/orders/waiting-list/join.ts';

export const handler = endpoint(
  {
    route: 'GET /api/waiting-list',
    summary: 'List the caller’s places in waiting lists, newest first',
    description: 'Also those that have ended, at most 100.',
    caller: 'user',
    response: z.object({ entries: z.array(entryView) }),
    table: ['Query'],
  },
  async ({ caller }) => ({ entries: await listOwnEntries(caller.userId) }),
);
