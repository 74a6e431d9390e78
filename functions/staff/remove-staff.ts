import { dismissMember } from '../../shared/catalog/staff/change-staff.ts';
import { staffPath, staffRemoval } from '../../shared/catalog/staff/staff.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/events/{id}/staff',
    summary: 'Remove a user from the staff of an event',
    caller: 'user',
    callerDescription: 'the event’s organizer',
    path: staffPath,
    body: staffRemoval,
    response: createMessageView('Removed from the staff'),
    errors: ['forbidden', 'event-not-found', 'member-not-found', 'busy'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
    settings: ['RETENTION_DAYS'],
  },
  async ({ caller, path, body }) => {
    await dismissMember(path.id, caller, body.email);
    return { message: 'Removed from the staff' };
  },
);
