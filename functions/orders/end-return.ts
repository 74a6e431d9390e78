import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { endReturn } from '../../shared/orders/refunds/list-seats.ts';
import { openReturnView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/orders/{id}/returns/{returnId}',
    summary: 'Keep tickets that are listed for the waiting list',
    description:
      'Ends a return whose seats nobody has paid for yet. An offer of them ends, and its person keeps the place in the list. Seats that were sold stay sold. The response has what is still listed of the order.',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the buyer',
    path: idPath('order').extend({
      returnId: z.string().max(64).meta({ description: 'The id of the return' }),
    }),
    response: z.object({ openReturns: z.array(openReturnView) }),
    errors: ['order-not-found', 'busy'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  async ({ caller, path }) => ({ openReturns: await endReturn(caller, path.id, path.returnId) }),
);
