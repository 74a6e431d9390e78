import * as z from 'zod';
import { orderWithAdmissions } from '../../shared/admissions/admission-view.ts';
import { admissionsOf } from '../../shared/admissions/read-admissions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { toOrderView } from '../../shared/orders/order-view.ts';
import { readOrder } from '../../shared/orders/read-order.ts';

export const handler = endpoint(
  {
    summary: 'Read an order, with the buyer’s check-in codes',
    caller: 'user',
    who: 'the buyer, or the event’s organizer',
    path: idPath,
    response: z.object({ order: orderWithAdmissions }),
    errors: ['order-not-found'],
  },
  async ({ caller: { userId }, path }) => {
    const order = await readOrder(userId, path.id);
    return { order: { ...toOrderView(order), admissions: await admissionsOf(order, userId) } };
  },
);
