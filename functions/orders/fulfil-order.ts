import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { requestFulfilment } from '../../shared/orders/fulfilment/request-fulfilment.ts';
import { showOrder } from '../../shared/orders/read-orders.ts';
import { orderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/{id}/fulfil',
    summary: 'Retry minting an order’s tickets, e.g. once the buyer has a wallet',
    caller: 'user',
    callerDescription: 'the event’s organizer and managers, or an admin',
    path: idPath('order'),
    response: z.object({ order: orderView }),
    errors: ['order-not-found', 'nothing-to-fulfil', 'too-many-attempts'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    settings: ['RETENTION_DAYS'],
    sends: ['fulfil-orders'],
  },
  async ({ caller, path }) => ({ order: await showOrder(await requestFulfilment(caller, path.id)) }),
);
