import * as z from 'zod';
import { ownIdsOf } from '../../shared/accounts/auth/authorize.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { markRead, notificationView } from '../../shared/messaging/notifications/store.ts';

export const handler = endpoint(
  {
    route: 'POST /api/notifications/{id}/read',
    summary: 'Mark a notification as read',
    caller: 'user',
    path: idPath('notification'),
    response: z.object({ notification: notificationView }),
    errors: ['notification-not-found'],
    table: ['UpdateItem'],
  },
  async ({ caller, path }) => ({ notification: await markRead(ownIdsOf(caller), path.id) }),
);
