import * as z from 'zod';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { addMember } from '../../shared/catalog/staff/change-staff.ts';
import { memberView, staffAddition, staffPath } from '../../shared/catalog/staff/staff.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/staff',
    summary: 'Add a person to the staff of an event, or change their role',
    description:
      'The role begins when an account, with any role, has confirmed the address. Until then the member is `invited`, and the service mails the address once. `GET /api/events?staff=me` lists the event for active members.',
    caller: 'user',
    callerDescription: 'the event’s organizer',
    fresh: (caller, { role }) => (role === 'manager' ? requireFreshSession(caller) : undefined),
    path: staffPath,
    body: staffAddition,
    response: z.object({ member: memberView }),
    status: 201,
    errors: ['forbidden', 'event-not-found', 'already-organizer', 'too-many-attempts', 'busy'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    sends: ['send-mail'],
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },
  async ({ caller, path, body }) => ({ member: await addMember(path.id, caller, body) }),
);
