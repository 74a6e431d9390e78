import * as z from 'zod';
import { verifyEmail } from '../../shared/accounts/auth/verify-email.ts';
import { emailConfirmation, userView } from '../../shared/accounts/users/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'Confirm an e-mail address with the token of a mailed link',
    caller: 'anyone',
    body: emailConfirmation,
    response: z.object({ user: userView }),
    errors: ['invalid-verification-token'],
  },
  async ({ body }) => ({ user: await verifyEmail(body.token) }),
);
