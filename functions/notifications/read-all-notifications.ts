import * as z from 'zod';
import { ownIdsOf } from '../../shared/accounts/auth/authorize.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { markAllRead } from '../../shared/messaging/notifications/store.ts';

export const handler = endpoint(
  {
    route: 'POST /api/notifications/read-all',
    summary: 'Mark all notifications as read',
    caller: 'user',
    response: z.object({
      updated: z.int().meta({ description: 'The number of notifications that were unread' }),
    }),
    table: ['Query', 'UpdateItem'],
  },
  async ({ caller }) => ({ updated: await markAllRead(ownIdsOf(caller)) }),
);
