import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { googleLink, makeGoogleLink } from '../../shared/tickets/passes/google-pass.ts';
import { seatPath } from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/orders/{id}/seats/{number}/google-wallet',
    summary: 'Make the link that saves a seat to Google Wallet',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the holder',
    path: seatPath,
    response: googleLink,
    errors: [
      'wallet-not-configured',
      'seat-not-found',
      'moved',
      'admitted',
      'event-cancelled',
      'refunded',
      'not-paid',
      'no-seat',
    ],
    table: ['BatchGetItem'],
    secrets: ['CHECK_IN_SECRET', 'GOOGLE_WALLET_KEY'],
    settings: ['GOOGLE_WALLET_ISSUER', 'PUBLIC_URL'],
  },
  async ({ caller, path: { id: orderId, number } }) => ({
    saveUrl: await makeGoogleLink(caller, { orderId, number }),
  }),
);
