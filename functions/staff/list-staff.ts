import { listStaff } from '../../shared/catalog/staff/change-staff.ts';
import { staffList, staffPath } from '../../shared/catalog/staff/staff.ts';
import { pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/staff',
    summary: 'List the staff of an event',
    caller: 'user',
    callerDescription: 'the event’s organizer',
    path: staffPath,
    query: pageQuery,
    response: staffList,
    errors: ['forbidden', 'event-not-found'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
  },
  ({ caller, path, query }) => listStaff(path.id, caller.userId, query),
);
