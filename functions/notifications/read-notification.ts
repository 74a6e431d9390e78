import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { markRead } from '../../shared/notifications/store.ts';

export const handler = endpoint({ caller: 'user', path: idPath }, async ({ caller, path }) => ({
  notification: await markRead(caller.userId, path.id),
}));
