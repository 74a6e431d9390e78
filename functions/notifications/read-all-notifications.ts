import { endpoint } from '../../shared/http/endpoint.ts';
import { markAllRead } from '../../shared/notifications/store.ts';

export const handler = endpoint({ caller: 'user' }, async ({ caller }) => ({
  updated: await markAllRead(caller.userId),
}));
