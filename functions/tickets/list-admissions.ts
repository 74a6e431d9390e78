import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readAttendance } from '../../shared/tickets/check-in/read-attendance.ts';
import { attendanceQuery, attendanceView } from '../../shared/tickets/check-in/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/admissions',
    summary: 'Count an event’s admissions, and find its paid orders',
    caller: 'user',
    apiKey: acceptKeys('check-in'),
    callerDescription: 'the event’s organizer and staff',
    path: idPath('event'),
    query: attendanceQuery,
    response: attendanceView,
    errors: ['forbidden', 'event-not-found'],
    table: ['GetItem', 'BatchGetItem', 'Query'],
    indexes: ['byEvent'],
    memoryMegabytes: 1024,
  },
  ({ caller, path, query }) => readAttendance(path.id, caller, query),
);
