import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderView, toOrderView } from '../../shared/orders/views.ts';
import { reissueErrorCodes, reissueRequest } from '../../shared/tickets/reissuing/reissue-request.ts';
import { requestReissue } from '../../shared/tickets/reissuing/request-reissue.ts';

export const handler = endpoint(
  {
    summary: 'Mint the tickets of an order again to another wallet',
    description:
      'For a wallet that was lost or mistyped: the tickets are burned, and minted again once that is final. Check-in codes stay valid. The buyer may do it once, before anybody was admitted; nobody may once a ticket was transferred or handed over.',
    caller: 'user',
    callerDescription: 'the buyer, the event’s organizer and managers, or an admin',
    path: idPath('order'),
    body: reissueRequest,
    response: z.object({ order: orderView }),
    errors: reissueErrorCodes,
  },
  async ({ caller, path, body }) => ({
    order: toOrderView(await requestReissue(caller, path.id, body.walletAddress)),
  }),
);
