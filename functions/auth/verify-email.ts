import * as z from 'zod';
import { verifyEmail } from '../../shared/accounts/auth/verify-email.ts';
import { emailConfirmation, userView } from '../../shared/accounts/users/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/verify-email',
    summary: 'Confirm an e-mail address with the token of a mailed link',
    caller: 'anyone',
    body: emailConfirmation,
    response: z.object({ user: userView }),
    errors: ['invalid-verification-token'],
    table: ['GetItem', 'UpdateItem'],
  },
  async ({ body }) => ({ user: await verifyEmail(body.token) }),
);
