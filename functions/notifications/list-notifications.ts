import * as z from 'zod';
import { ownIdsOf } from '../../shared/accounts/auth/authorize.ts';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listNotifications, notificationView } from '../../shared/messaging/notifications/store.ts';

const query = pageQuery.extend({
  unread: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: '`true` lists only unread notifications' }),
});

export const handler = endpoint(
  {
    route: 'GET /api/notifications',
    summary: 'List the caller’s notifications, newest first',
    caller: 'user',
    query,
    response: z.object({ notifications: z.array(notificationView), nextCursor }),
    table: ['Query'],
  },
  ({ caller, query: { unread, ...page } }) =>
    listNotifications(ownIdsOf(caller), { ...page, unreadOnly: unread === 'true' }),
);
