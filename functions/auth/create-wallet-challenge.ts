import { createChallengeMessage } from '../../shared/accounts/wallets/wallet-challenge.ts';
import { walletChallengeRequest, walletChallengeView } from '../../shared/accounts/wallets/wallet-request.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/wallet/challenge',
    summary: 'Create a message for a wallet to sign',
    caller: 'optional',
    body: walletChallengeRequest,
    response: walletChallengeView,
    settings: ['PUBLIC_URL', 'SHOP_NAME'],
  },
  async ({ caller, body }) => ({ message: await createChallengeMessage(body, caller?.userId) }),
);
