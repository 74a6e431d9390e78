import * as z from 'zod';
import { pageQuery } from '../../shared/dynamo/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listNotifications } from '../../shared/notifications/store.ts';

const query = pageQuery.extend({ unread: z.enum(['true', 'false']).default('false') });

export const handler = endpoint({ caller: 'user', query }, ({ caller, query: { unread, ...page } }) =>
  listNotifications(caller.userId, { ...page, unreadOnly: unread === 'true' }),
);
