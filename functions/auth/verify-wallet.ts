import { refreshCookie } from '../../shared/accounts/auth/sessions.ts';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { walletVerifiedView } from '../../shared/accounts/users/user.ts';
import { linkWallet } from '../../shared/accounts/wallets/link-wallet.ts';
import { loginWithWallet } from '../../shared/accounts/wallets/login-with-wallet.ts';
import { signatureErrorCodes, signedMessage } from '../../shared/accounts/wallets/wallet-request.ts';
import { readDevice } from '../../shared/http/device.ts';
import { endpoint, Reply, readViewerAddress } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/wallet/verify',
    summary: 'Link a wallet to the caller’s account, or log in with a linked wallet',
    description:
      'With an access token, send a signed challenge with the purpose `link`; the response contains the user. Without an access token, send one with the purpose `login`; the response contains new tokens. Contract wallets sign by ERC-1271 or ERC-6492.',
    caller: 'optional',
    fresh: (caller) => caller && requireFreshSession(caller),
    body: signedMessage,
    response: walletVerifiedView,
    refreshCookie: 'sets',
    errors: [...signatureErrorCodes, 'unknown-wallet', 'wallet-taken', 'busy'],
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['send-mail'],
    secrets: ['JWT_REFRESH_SECRET', 'ORIGIN_SECRET'],
    settings: ['STAGE', 'PUBLIC_URL', 'SHOP_NAME', 'MAIL_FROM'],
    chains: true,
    timeoutSeconds: 20,
  },
  async ({ caller, body, ip, header }) => {
    if (caller) return { user: await linkWallet(caller, body) };
    const { user, token, refreshToken } = await loginWithWallet(
      body,
      await readViewerAddress({ ip, header }),
      await readDevice({ header }),
    );
    const cookies = [refreshCookie(refreshToken)];
    return new Reply({ message: 'Login successful', token, user }, { cookies });
  },
);
