import * as z from 'zod';
import { sendVerification } from '../../shared/accounts/auth/verify-email.ts';
import { userView } from '../../shared/accounts/users/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/verify-email/send',
    summary: 'Mail the caller a link to confirm the e-mail address',
    description:
      'Sends at most 3 mails an hour, and none when the address was confirmed in a session of the account.',
    caller: 'user',
    response: z.object({ user: userView }),
    errors: ['user-not-found', 'too-many-attempts'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    sends: ['send-links'],
    settings: ['MAIL_FROM'],
  },
  async ({ caller }) => ({ user: await sendVerification(caller.userId) }),
);
