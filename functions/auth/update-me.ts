import { changeUser } from '../../shared/auth/store.ts';
import { profileChange } from '../../shared/auth/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint({ caller: 'user', body: profileChange }, async ({ caller, body }) => ({
  user: await changeUser(caller.userId, body, new Date().toISOString()),
}));
