import { endpoint, readViewerAddress } from '../../shared/http/endpoint.ts';
import { hashGuestKey, runIdempotently } from '../../shared/http/idempotency.ts';
import { deriveAccessToken } from '../../shared/orders/access-token.ts';
import { orderErrorCodes, orderRequest, requireOneBuyer } from '../../shared/orders/checkout/draft-order.ts';
import { initializeOrder } from '../../shared/orders/checkout/initialize-order.ts';
import { newReference } from '../../shared/orders/order.ts';
import { initializedOrderView, toInitializedOrderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/initialize',
    summary: 'Create an order: hold tickets and start the payment',
    caller: 'guest',
    description:
      'Without an access token, `customer` names the buyer, where the event sells to `anyone`. The response then has the order’s `accessToken`. A guest can have one unpaid order an event, and an `Idempotency-Key` of at least 22 characters.',
    body: orderRequest,
    response: initializedOrderView,
    status: 201,
    idempotent: true,
    queueTicket: true,
    errors: orderErrorCodes,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'ConditionCheckItem'],
    sends: ['fulfil-orders'],
    secrets: [
      'ORDER_ACCESS_SECRET',
      'ORIGIN_SECRET',
      'GATEWAY_A_SECRET',
      'GATEWAY_B_SECRET_KEY',
      'GATEWAY_C_SECRET_KEY',
    ],
    settings: [
      'RETENTION_DAYS',
      'GATEWAY_A_URL',
      'GATEWAY_B_URL',
      'GATEWAY_C_URL',
      'DEFAULT_GATEWAY',
      'HOLD_MINUTES',
      'OPEN_ORDERS_PER_USER',
      'HOLD_PAUSE_SECONDS',
      'UNPAID_ORDERS_PER_ADDRESS',
      'GUEST_ORDERS_PER_HOUR',
      'ORDERS_NEED_VERIFIED_EMAIL',
      'QUEUE_TURN_MINUTES',
      'PUBLIC_URL',
      'TREASURY_ADDRESS',
      'PAYMENT_CHAINS',
      'CHAIN_TOKENS',
    ],
    chains: true,
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  async ({ caller, body, ip, header }) => {
    requireOneBuyer(caller?.userId, body);
    const userId = caller?.userId;
    const address = await readViewerAddress({ ip, header });
    const queueTicket = header('x-queue-ticket');
    const key = header('idempotency-key');
    // The seed becomes the order's reference. A repeat of an interrupted call gets that call's seed and finds its order.
    const seed = newReference(body.eventId, Date.now());
    const call = {
      userId: userId ?? 'guest',
      key: userId === undefined ? hashGuestKey(key) : key,
      request: body,
      seed,
    };
    // The stored answer has the version of the guest's access tokens, from which the token is derived again.
    const { guestVersion, ...view } = await runIdempotently(call, async (reference, isContinued) => {
      const buyer = { userId, sessionVersion: caller?.sessionVersion, address, queueTicket };
      const order = await initializeOrder(buyer, body, reference, isContinued);
      return { ...toInitializedOrderView(order), guestVersion: order.guestVersion };
    });
    if (guestVersion === undefined) return view;
    return { ...view, accessToken: await deriveAccessToken(view.orderId, guestVersion) };
  },
);
