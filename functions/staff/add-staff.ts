import * as z from 'zod';
import { addMember } from '../../shared/catalog/staff/change-staff.ts';
import { memberView, staffAddition, staffPath } from '../../shared/catalog/staff/staff.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/staff',
    summary: 'Add a user to the staff of an event, or change their role',
    description:
      'The user must have an account, with any role. The service notifies them, and `GET /api/events?staff=me` lists the event for them.',
    caller: 'user',
    callerDescription: 'the event’s organizer',
    path: staffPath,
    body: staffAddition,
    response: z.object({ member: memberView }),
    status: 201,
    errors: [
      'forbidden',
      'event-not-found',
      'user-not-found',
      'already-organizer',
      'too-many-attempts',
      'busy',
    ],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    settings: ['RETENTION_DAYS'],
  },
  async ({ caller, path, body }) => ({ member: await addMember(path.id, caller, body) }),
);
