import * as z from 'zod';
import { pageQuery } from '../../shared/dynamo/page-query.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notificationView } from '../../shared/notifications/notification.ts';
import { listNotifications } from '../../shared/notifications/store.ts';
import { nextCursor } from '../../shared/views.ts';

const query = pageQuery.extend({ unread: z.enum(['true', 'false']).default('false') });

export const handler = endpoint(
  {
    summary: 'List the caller’s notifications, the newest first',
    caller: 'user',
    query,
    response: z.object({ notifications: z.array(notificationView), nextCursor }),
  },
  ({ caller, query: { unread, ...page } }) =>
    listNotifications(caller.userId, { ...page, unreadOnly: unread === 'true' }),
);
