import * as z from 'zod';
import { confirmEmailChange } from '../../shared/accounts/auth/change-email.ts';
import { emailChangeLink, userView } from '../../shared/accounts/users/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/change-email/confirm',
    summary: 'Change the e-mail address with the token of the link that was mailed to it',
    description:
      'The earlier address is mailed a link that undoes the change for seven days. Until then it stays reserved, the address can’t be changed again, and the first payouts to a new bank account wait.',
    caller: 'user',
    body: emailChangeLink,
    response: z.object({ user: userView }),
    errors: ['invalid-token', 'invalid-email-change-token', 'email-taken', 'email-just-changed', 'busy'],
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['send-links'],
    settings: ['MAIL_FROM'],
  },
  async ({ caller, body }) => ({ user: await confirmEmailChange(caller, body.token) }),
);
