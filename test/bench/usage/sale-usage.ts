import { createHmac, randomUUID } from 'node:crypto';
import type { Call } from './meter.ts';
import type { Metered, MeteredService } from './metered-service.ts';

/** All calls of one function in a sale. */
export interface Step {
  functionName: string;
  invocations: number;
  /** The number of messages; none for a request. */
  messages: number;
  /** Their requests to the table and the queues. */
  calls: Call[];
}

export interface SaleUsage {
  orders: number;
  initialize: Step;
  webhook: Step;
  fulfil: Step;
  /** Sending the mails. */
  mail: Step;
  /** Signing and broadcasting, recording the final result, and the later last check; empty without a wallet. */
  minting: Step[];
}

/** Sells an order of two tickets to each of some buyers, step by step. Messages are one batch (10 at most). */
export async function meterSale(
  service: MeteredService,
  { mints, orders, code }: { mints: boolean; orders: number; code?: object },
): Promise<SaleUsage> {
  const event = await openSale(service, mints, code);
  const buyers = await inTurn(orders, () => registerBuyer(service, mints));
  const placed = await inTurn(orders, (at) => initialize(service, event, buyers[at] ?? '', code && codeText));
  const paid = await inTurn(orders, (at) =>
    service.invoke('webhooks-gateway-a', delivery(service, placed[at])),
  );
  // Those of registrations.
  await service.discard('mail');
  const fulfilled = await service.invoke('workers-fulfil-orders', await service.receive('fulfil', orders));
  const mails = await service.receive('mail', orders);
  const mailed = await inTurn(orders, (at) =>
    service.invoke('workers-send-mail', { Records: mails.Records.slice(at, at + 1) }),
  );
  return {
    orders,
    mail: step('workers-send-mail', mailed, orders),
    initialize: step('orders-initialize-order', placed, 0),
    webhook: step('webhooks-gateway-a', paid, 0),
    fulfil: step('workers-fulfil-orders', [fulfilled], orders),
    minting: mints ? await mint(service, orders) : [],
  };
}

/** Measures a webhook that is repeated after its order was fulfilled. */
export async function meterRepeatedWebhook(service: MeteredService): Promise<Call[]> {
  const event = await openSale(service, false);
  const paid = delivery(service, await initialize(service, event, await registerBuyer(service, false)));
  await service.invoke('webhooks-gateway-a', paid);
  await service.invoke('workers-fulfil-orders', await service.receive('fulfil', 1));
  return (await service.invoke('webhooks-gateway-a', paid)).calls;
}

async function mint(service: MeteredService, orders: number): Promise<Step[]> {
  const call = async (event: { Records: object[] }) =>
    step('workers-mint-tickets', [await service.invoke('workers-mint-tickets', event)], event.Records.length);
  const signed = await call(await service.receive('mint', orders));
  const check = await service.receive('mint', 1);
  const recorded = await call(check);
  // The last check comes 15 minutes later, with an identical message.
  return [signed, recorded, await call(check)];
}

function step(functionName: string, metered: Metered[], messages: number): Step {
  return {
    functionName,
    invocations: metered.length,
    messages,
    calls: metered.flatMap(({ calls }) => calls),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: responses are not validated
type Event = any;

const codeText = 'EARLY-BIRD-2030';

/** Names, addresses and titles have realistic lengths. */
async function openSale(service: MeteredService, mints: boolean, code?: object): Promise<Event> {
  const organizer = await register(service, { name: 'Olumide Adeyemi-Okonkwo', role: 'ORGANIZER' });
  const fields = {
    title: 'An Evening of Lambdas and Other Small Functions',
    venue: 'The Great Hall of the Old Station',
    startDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    ...(mints && { contractAddress: service.ticketContract }),
    tiers: [{ name: 'Standing', price: 50, quantity: 100, maxPerPerson: 10 }],
  };
  const created = await service.invoke(
    'events-create-event',
    request('POST', '/api/events', fields, organizer),
  );
  const { event } = answerOf(created);
  if (code) {
    const body = { code: codeText, kind: 'percent', value: 10, ...code };
    const making = request('POST', `/api/events/${event.id}/codes`, body, organizer);
    answerOf(await service.invoke('codes-create-code', { ...making, pathParameters: { id: event.id } }));
  }
  return event;
}

function registerBuyer(service: MeteredService, mints: boolean): Promise<string> {
  const walletAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  return register(service, { name: 'Maximiliane Wiegand-Bruss', ...(mints && { walletAddress }) });
}

/** @returns an access token */
export async function register(service: MeteredService, person: object): Promise<string> {
  const email = `${randomUUID().slice(0, 13)}.wiegand@mail.example.com`;
  const fields = { email, password: 'correct horse battery', ...person };
  return answerOf(await service.invoke('auth-register', request('POST', '/api/auth/register', fields))).token;
}

function initialize(service: MeteredService, event: Event, buyer: string, code?: string): Promise<Metered> {
  const order = {
    eventId: event.id,
    tierId: event.tiers[0].id,
    quantity: 2,
    paymentMethod: 'FIAT',
    gateway: 'gateway-a',
    ...(code && { code }),
  };
  return service.invoke('orders-initialize-order', request('POST', '/api/orders/initialize', order, buyer));
}

/** The webhook of gateway-a for a paid order. */
function delivery({ gatewaySecret }: MeteredService, initialized: Metered | undefined) {
  const { reference, totalAmount } = answerOf(initialized);
  const data = { id: 4_099_260_516, reference, amount: totalAmount * 100, currency: 'USD' };
  const event = request('POST', '/api/webhooks/gateway-a', { event: 'charge.success', data });
  const signature = createHmac('sha512', gatewaySecret).update(event.body).digest('hex');
  return { ...event, headers: { ...event.headers, 'x-gateway-a-signature': signature } };
}

/** A request as the HTTP API passes it to a function. */
export function request(method: string, path: string, body: object, token?: string) {
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    requestContext: { requestId: randomUUID(), http: { method, path, sourceIp: '127.0.0.1' } },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  };
}

export function answerOf(metered: Metered | undefined) {
  const answer = metered?.answer;
  if (!(answer?.statusCode < 300)) throw new Error(`Refused: ${answer?.body}`);
  return JSON.parse(answer.body);
}

async function inTurn<Result>(count: number, job: (at: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < count; index++) results.push(await job(index));
  return results;
}
