import { attachGuest } from '../../shared/accounts/auth/attach-guest.ts';
import { accessTokenView } from '../../shared/accounts/users/user.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/orders',
    summary: 'Add the orders that were bought with the caller’s address to the account',
    description:
      'For orders that were bought without an account. Their access tokens end. The response has a new access token, which opens them; later ones do so too.',
    caller: 'user',
    response: accessTokenView,
    errors: ['email-not-verified', 'other-orders-attached'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  async ({ caller }) => ({ token: await attachGuest(caller) }),
);
