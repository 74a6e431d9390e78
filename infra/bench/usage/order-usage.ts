import { createHmac, randomUUID } from 'node:crypto';
import type { Call } from './meter.ts';
import type { Metered, MeteredService } from './metered-service.ts';

/** What each step of an order asks of the table and the queues. */
export interface OrderUsage {
  initialize: Call[];
  webhook: Call[];
  /** The same delivery once more, after the order was fulfilled. */
  repeatedWebhook: Call[];
  fulfil: Call[];
  /** Signing and sending, and the look at the result once it is final; nothing without a wallet. */
  mint: Call[];
  confirmMint: Call[];
}

export interface Scenario {
  mints: boolean;
  quantity?: number;
}

/** Sells one order to a new buyer, step by step. Names and addresses are of the lengths that people have. */
export async function meterOrder(service: MeteredService, scenario: Scenario): Promise<OrderUsage> {
  const { mints, quantity = 2 } = scenario;
  const organizer = await register(service, { name: 'Olumide Adeyemi-Okonkwo', role: 'ORGANIZER' });
  const walletAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const buyer = await register(service, {
    name: 'Maximiliane Wiegand-Bruss',
    ...(mints && { walletAddress }),
  });
  const { event } = body(
    await service.invoke(
      'events-create-event',
      request('POST', '/api/events', organizer, {
        title: 'An Evening of Lambdas and Other Small Functions',
        venue: 'The Great Hall of the Old Station',
        startDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
        ...(mints && { contractAddress: service.ticketContract }),
        tiers: [{ name: 'Standing', price: 50, quantity: 100, maxPerPerson: 10 }],
      }),
    ),
  );

  const initialize = await service.invoke(
    'orders-initialize-order',
    request('POST', '/api/orders/initialize', buyer, {
      eventId: event.id,
      tierId: event.tiers[0].id,
      quantity,
      paymentMethod: 'FIAT',
      gateway: 'gateway-a',
    }),
  );
  const paid = delivery(service, body(initialize));
  const webhook = await service.invoke('webhooks-gateway-a', paid);
  const fulfil = await service.work('fulfil');
  const repeatedWebhook = await service.invoke('webhooks-gateway-a', paid);
  const mint = mints ? await service.work('mint') : undefined;
  const confirmMint = mints ? await service.work('mint') : undefined;
  return {
    initialize: initialize.calls,
    webhook: webhook.calls,
    repeatedWebhook: repeatedWebhook.calls,
    fulfil: fulfil.calls,
    mint: mint?.calls ?? [],
    confirmMint: confirmMint?.calls ?? [],
  };
}

/** @returns an access token */
async function register(service: MeteredService, person: object): Promise<string> {
  const email = `${randomUUID().slice(0, 13)}.wiegand@mail.example.com`;
  const fields = { email, password: 'correct horse battery', ...person };
  return body(await service.invoke('auth-register', request('POST', '/api/auth/register', undefined, fields)))
    .token;
}

/** A request as the HTTP API hands it on. */
function request(method: string, path: string, token: string | undefined, given: object | string) {
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    } as Record<string, string>,
    requestContext: { requestId: randomUUID(), http: { method, path, sourceIp: '127.0.0.1' } },
    body: typeof given === 'string' ? given : JSON.stringify(given),
    isBase64Encoded: false,
  };
}

function delivery({ gatewaySecret }: MeteredService, order: { reference: string; totalAmount: number }) {
  const data = {
    id: 4_099_260_516,
    reference: order.reference,
    amount: order.totalAmount * 100,
    currency: 'USD',
  };
  const text = JSON.stringify({ event: 'charge.success', data });
  const event = request('POST', '/api/webhooks/gateway-a', undefined, text);
  const signature = createHmac('sha512', gatewaySecret).update(text).digest('hex');
  return { ...event, headers: { ...event.headers, 'x-gateway-a-signature': signature } };
}

function body({ answer }: Metered) {
  if (answer.statusCode >= 300) throw new Error(`Refused: ${answer.body}`);
  return JSON.parse(answer.body);
}
