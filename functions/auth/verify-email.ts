import * as z from 'zod';
import { verifyEmail } from '../../shared/accounts/auth/verify-email.ts';
import { emailConfirmation, userView } from '../../shared/accounts/users/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/verify-email',
    summary: 'Confirm an e-mail address with the token of a mailed link',
    description:
      'Clears the wallet of the account, unless the call has an access token of it: somebody else may have registered with the address.',
    caller: 'optional',
    body: emailConfirmation,
    response: z.object({ user: userView }),
    errors: ['invalid-verification-token'],
    table: ['GetItem', 'UpdateItem', 'DeleteItem'],
  },
  async ({ caller, body }) => ({ user: await verifyEmail(body.token, caller?.userId) }),
);
