import * as z from 'zod';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { userView } from '../../shared/accounts/users/user.ts';
import { unlinkWallet } from '../../shared/accounts/wallets/unlink-wallet.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/auth/wallet',
    summary: 'Unlink the caller’s wallet',
    description: 'Tickets are still minted to the wallet until the user changes `walletAddress`.',
    caller: 'user',
    fresh: requireFreshSession,
    response: z.object({ user: userView }),
    errors: ['user-not-found', 'busy'],
    table: ['GetItem', 'UpdateItem', 'DeleteItem'],
  },
  async ({ caller }) => ({ user: await unlinkWallet(caller.userId) }),
);
