import { idPath } from '../../shared/core/schemas.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { exportPerson } from '../../shared/privacy/export-person.ts';
import { exportView } from '../../shared/privacy/personal-data.ts';

export const handler = endpoint(
  {
    route: 'GET /api/users/{id}/export',
    summary: 'Export a user’s personal data',
    caller: 'user',
    callerDescription: 'the user, or an admin',
    path: idPath('user'),
    response: exportView,
    errors: ['user-not-found', 'invalid-token'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
    indexes: ['byOwner'],
    timeoutSeconds: 25,
  },
  async ({ path, caller }) =>
    new Reply(await exportPerson(path.id, caller), {
      headers: { 'content-disposition': 'attachment; filename="boxoffice-personal-data.json"' },
    }),
);
