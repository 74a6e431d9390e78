import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { acceptScans } from '../../shared/tickets/door/accept-scans.ts';
import { scanResult, scansRequest } from '../../shared/tickets/door/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/door/scans',
    summary: 'Upload the admissions that a device made without network',
    description:
      'Each is admitted as of its time. One that was not to be admitted, such as of a ticket that was used at another gate, is kept as a conflict in `GET /api/events/{id}/admissions`. A repeated `scanId` of a seat has its first result, so that scans can be sent until they are answered.',
    caller: 'user',
    apiKey: acceptKeys('check-in'),
    callerDescription: 'the event’s organizer and staff',
    path: idPath('event'),
    body: scansRequest,
    response: z.object({ results: z.array(scanResult) }),
    errors: ['forbidden', 'event-not-found', 'busy'],
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'Query', 'PutItem'],
    secrets: ['CHECK_IN_SECRET'],
    sends: ['mint-tickets', 'deliver-webhooks'],
    settings: ['STAGE'],
    chains: true,
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  async ({ caller, path, body }) => ({ results: await acceptScans(caller, path.id, body) }),
);
