import { endpoint } from '../../shared/http/endpoint.ts';
import { runIdempotently } from '../../shared/http/idempotency.ts';
import { orderErrorCodes, orderRequest } from '../../shared/orders/checkout/draft-order.ts';
import { initializeOrder } from '../../shared/orders/checkout/initialize-order.ts';
import { newReference } from '../../shared/orders/order.ts';
import { initializedOrderView, toInitializedOrderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/initialize',
    summary: 'Create an order: hold tickets and start the payment',
    caller: 'user',
    body: orderRequest,
    response: initializedOrderView,
    status: 201,
    idempotent: true,
    errors: orderErrorCodes,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['fulfil-orders'],
    secrets: ['GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY', 'GATEWAY_C_SECRET_KEY'],
    settings: [
      'GATEWAY_A_URL',
      'GATEWAY_B_URL',
      'GATEWAY_C_URL',
      'DEFAULT_GATEWAY',
      'HOLD_MINUTES',
      'OPEN_ORDERS_PER_USER',
      'HOLD_PAUSE_SECONDS',
      'ORDERS_NEED_VERIFIED_EMAIL',
      'PUBLIC_URL',
      'TREASURY_ADDRESS',
      'CHAIN_TOKENS',
    ],
    chains: true,
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  async ({ caller: { userId }, body, header }) => {
    // The seed becomes the order's reference. A repeat of an interrupted call gets that call's seed and finds its order.
    const seed = newReference(body.eventId, Date.now());
    const call = { userId, key: header('idempotency-key'), request: body, seed };
    return runIdempotently(call, async (reference, isContinued) =>
      toInitializedOrderView(await initializeOrder(userId, body, reference, isContinued)),
    );
  },
);
