import * as z from 'zod';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { idPath, walletAddress } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { setOrderWallet } from '../../shared/orders/fulfilment/set-wallet.ts';
import { showOrder } from '../../shared/orders/read-orders.ts';
import { orderView } from '../../shared/orders/views.ts';
import type { AccessClaims } from '../../shared/runtime/tokens.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/orders/{id}/wallet',
    summary: 'Set the wallet that an order’s tickets are minted to',
    description: 'For an order without a wallet. The tickets of a paid order are then minted.',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the buyer',
    // As for a reissue. A guest has no session, but the order's access token.
    fresh: (caller: AccessClaims) =>
      caller.sessionId === undefined ? undefined : requireFreshSession(caller),
    path: idPath('order'),
    body: z
      .object({ walletAddress: walletAddress.meta({ description: 'The wallet that gets the tickets' }) })
      .meta({ examples: [{ walletAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }] }),
    response: z.object({ order: orderView }),
    errors: ['order-not-found', 'wallet-set', 'not-paid', 'refunded', 'moved', 'in-progress'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
    sends: ['fulfil-orders', 'send-mail'],
  },
  async ({ caller, path, body }) => ({
    order: await showOrder(await setOrderWallet(caller, path.id, body.walletAddress)),
  }),
);
