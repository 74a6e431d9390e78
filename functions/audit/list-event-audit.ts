import * as z from 'zod';
import { auditEntryView } from '../../shared/accounts/audit/read-audit.ts';
import { readEventAudit } from '../../shared/catalog/events/summarize-event.ts';
import { idPath, nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/audit',
    summary: 'List an event’s audit trail, newest first',
    description:
      'Records refunds, reissued tickets, and changes of the staff and of the event’s status and contract.',
    caller: 'user',
    callerDescription: 'the event’s organizer',
    path: idPath('event'),
    query: pageQuery,
    response: z.object({ entries: z.array(auditEntryView), nextCursor }),
    errors: ['forbidden', 'event-not-found'],
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['byEvent'],
  },
  ({ caller, path, query }) => readEventAudit(path.id, caller.userId, query),
);
