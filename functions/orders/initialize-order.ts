import { endpoint } from '../../shared/http/endpoint.ts';
import { idempotent } from '../../shared/idempotency/idempotent.ts';
import { initializeOrder } from '../../shared/orders/initialize-order.ts';
import { initializedView, toInitializedView } from '../../shared/orders/initialized-view.ts';
import { orderRefusals, orderRequest } from '../../shared/orders/order-request.ts';
import { newReference } from '../../shared/orders/reference.ts';

export const handler = endpoint(
  {
    summary: 'Order tickets: holds them and begins the payment',
    caller: 'user',
    body: orderRequest,
    response: initializedView,
    status: 201,
    idempotent: true,
    errors: orderRefusals,
  },
  async ({ caller: { userId }, body, header }) => {
    const seed = newReference(body.eventId, Date.now());
    const call = { userId, key: header('idempotency-key'), request: body, seed };
    return idempotent(call, async (reference) =>
      toInitializedView(await initializeOrder(userId, body, reference)),
    );
  },
);
