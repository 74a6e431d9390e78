import { changeUser } from '../../shared/auth/store.ts';
import { kycDecision } from '../../shared/auth/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';

export const handler = endpoint(
  { caller: 'admin', path: idPath, body: kycDecision },
  async ({ path, body }) => ({
    user: await changeUser(path.id, { kycStatus: body.status }, new Date().toISOString()),
  }),
);
