import { endpoint } from '../../shared/http/endpoint.ts';
import { idempotent } from '../../shared/idempotency/idempotent.ts';
import { initializeOrder } from '../../shared/orders/initialize-order.ts';
import { orderRequest } from '../../shared/orders/order-request.ts';
import { toInitializedView } from '../../shared/orders/order-view.ts';
import { newReference } from '../../shared/orders/reference.ts';

export const handler = endpoint(
  { caller: 'user', body: orderRequest, status: 201 },
  async ({ caller: { userId }, body, header }) => {
    const seed = newReference(body.eventId, Date.now());
    const call = { userId, key: header('idempotency-key'), request: body, seed };
    return idempotent(call, async (reference) =>
      toInitializedView(await initializeOrder(userId, body, reference)),
    );
  },
);
