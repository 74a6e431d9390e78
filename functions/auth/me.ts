import { getUser } from '../../shared/auth/store.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint({ caller: 'user' }, async ({ caller }) => ({
  user: await getUser(caller.userId),
}));
