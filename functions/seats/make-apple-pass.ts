import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { makeApplePass, passFile } from '../../shared/tickets/passes/apple-pass.ts';
import { seatPath } from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/orders/{id}/seats/{number}/pass.pkpass',
    summary: 'Make the Apple Wallet pass of a seat',
    description:
      'The pass of a used or refunded ticket, or of one to a cancelled event, is void and says why. Wallet replaces the pass that the holder added before.',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the holder',
    path: seatPath,
    response: passFile,
    mediaType: 'application/vnd.apple.pkpass',
    errors: ['wallet-not-configured', 'seat-not-found', 'moved', 'not-paid'],
    table: ['BatchGetItem'],
    secrets: ['CHECK_IN_SECRET', 'APPLE_PASS_CERTIFICATE'],
    memoryMegabytes: 1024,
  },
  async ({ caller, path: { id: orderId, number } }) =>
    new Reply(await makeApplePass(caller, { orderId, number }), {
      headers: {
        'content-type': 'application/vnd.apple.pkpass',
        'content-disposition': 'attachment; filename="ticket.pkpass"',
        'cache-control': 'private, no-store',
      },
    }),
);
