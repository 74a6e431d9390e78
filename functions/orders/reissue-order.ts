import * as z from 'zod';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { idPath, walletAddress } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { requestReissue } from '../../shared/nft/reissuing/request-reissue.ts';
import { showOrder } from '../../shared/orders/read-orders.ts';
import { orderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/{id}/reissue',
    summary: 'Mint the tickets of an order again to another wallet',
    description:
      'For a lost or mistyped wallet: the tokens are burned, and new ones are minted once the burn is final. Check-in codes stay valid. The buyer may reissue once, before anybody is admitted. Nobody may reissue after a token or a seat was transferred.',
    caller: 'user',
    callerDescription: 'the buyer, the event’s organizer and managers, or an admin',
    // The tickets go to the new wallet: the thief of a session could choose an own one.
    fresh: requireFreshSession,
    path: idPath('order'),
    body: z.object({
      walletAddress: walletAddress.meta({ description: 'The wallet that the tickets are minted to again' }),
    }),
    response: z.object({ order: orderView }),
    errors: [
      'order-not-found',
      'not-paid',
      'refunded',
      'event-cancelled',
      'in-progress',
      'nothing-to-reissue',
      'already-reissued',
      'admitted',
      'moved',
      'listed',
      'same-wallet',
      'reissue-not-supported',
      'too-many-attempts',
      'unavailable',
    ],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    sends: ['fulfil-orders', 'mint-tickets', 'send-mail'],
    chains: true,
    timeoutSeconds: 29,
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },
  async ({ caller, path, body }) => ({
    order: await showOrder(await requestReissue(caller, path.id, body.walletAddress)),
  }),
);
