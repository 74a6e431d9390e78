import { createHmac, randomUUID } from 'node:crypto';
import type { Call } from './meter.ts';
import type { MeteredResponse, MeteredService } from './metered-service.ts';

/** All invocations of one function in a sale. */
export interface Step {
  functionName: string;
  invocations: number;
  /** The number of queue messages; 0 for an HTTP request. */
  messages: number;
  /** The requests to the table and the queues. */
  calls: Call[];
}

export interface SaleUsage {
  orders: number;
  initialize: Step;
  webhook: Step;
  fulfil: Step;
  mail: Step;
  /** Signing and broadcasting, recording the final result, and the last check; empty when nothing is minted. */
  mintingSteps: Step[];
}

/**
 * Sells two tickets to each of `orders` buyers, step by step. All messages of a step are one batch (at most 10).
 * @param code fields of a discount code, which every buyer uses
 * @param tiers the number of tiers, of which every buyer buys two tickets each
 */
export async function meterSale(
  service: MeteredService,
  { isMinted, orders, code, tiers }: { isMinted: boolean; orders: number; code?: object; tiers?: number },
): Promise<SaleUsage> {
  const sale = await createSale(service, { isMinted, code, tiers });
  const buyerTokens = await runInSequence(orders, () => registerBuyer(service, isMinted));
  const placed = await runInSequence(orders, (index) =>
    initializeOrder(service, sale, buyerTokens[index] ?? '', { code: code && codeText }),
  );
  const paid = await runInSequence(orders, (index) =>
    service.invoke('webhooks-gateway-a', paymentWebhook(service, placed[index])),
  );
  const fulfilled = await service.invoke(
    'workers-fulfil-orders',
    await service.receive('fulfil-orders', orders),
  );
  const mails = await service.receive('send-mail', orders);
  const mailed = await runInSequence(orders, (index) =>
    service.invoke('workers-send-mail', { Records: mails.Records.slice(index, index + 1) }),
  );
  return {
    orders,
    mail: toStep('workers-send-mail', mailed, orders),
    initialize: toStep('orders-initialize-order', placed, 0),
    webhook: toStep('webhooks-gateway-a', paid, 0),
    fulfil: toStep('workers-fulfil-orders', [fulfilled], orders),
    mintingSteps: isMinted ? await mint(service, orders) : [],
  };
}

/** Measures a webhook that is repeated after its order was fulfilled. */
export async function meterRepeatedWebhook(service: MeteredService): Promise<Call[]> {
  const sale = await createSale(service);
  const webhook = paymentWebhook(
    service,
    await initializeOrder(service, sale, await registerBuyer(service, false)),
  );
  await service.invoke('webhooks-gateway-a', webhook);
  await service.invoke('workers-fulfil-orders', await service.receive('fulfil-orders', 1));
  return (await service.invoke('webhooks-gateway-a', webhook)).calls;
}

async function mint(service: MeteredService, orders: number): Promise<Step[]> {
  const call = async (event: { Records: object[] }) =>
    toStep(
      'workers-mint-tickets',
      [await service.invoke('workers-mint-tickets', event)],
      event.Records.length,
    );
  const signed = await call(await service.receive('mint-tickets', orders));
  // On a slow machine, the check would come before the mint is final, and make other requests.
  await service.awaitFinality();
  const check = await service.receive('mint-tickets', 1);
  const recorded = await call(check);
  // The message of the last check, 15 minutes later, is identical to that of the first.
  return [signed, recorded, await call(check)];
}

function toStep(functionName: string, metered: MeteredResponse[], messages: number): Step {
  return {
    functionName,
    invocations: metered.length,
    messages,
    calls: metered.flatMap(({ calls }) => calls),
  };
}

export interface Sale {
  // biome-ignore lint/suspicious/noExplicitAny: responses are not validated
  event: any;
  organizerToken: string;
}

const codeText = 'EARLY-BIRD-2030';

/** Creates an event on sale. Names, addresses and titles have realistic lengths, since the capacity units depend on them. */
export async function createSale(
  service: MeteredService,
  {
    isMinted = false,
    code,
    price = 50,
    tickets = 100,
    tiers = 1,
  }: Partial<Record<'price' | 'tickets', number>> & {
    isMinted?: boolean;
    code?: object | undefined;
    tiers?: number | undefined;
  } = {},
): Promise<Sale> {
  const organizerToken = await register(service, { name: 'Olumide Adeyemi-Okonkwo', role: 'ORGANIZER' });
  const fields = {
    title: 'An Evening of Lambdas and Other Small Functions',
    venue: 'The Great Hall of the Old Station',
    startDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    ...(isMinted && { contractAddress: service.ticketContract }),
    tiers: ['Standing', 'Balcony', 'Box'].slice(0, tiers).map((name) => ({
      name,
      price,
      quantity: tickets,
      maxPerPerson: tickets,
    })),
  };
  const created = await service.invoke(
    'events-create-event',
    httpEvent('POST', '/api/events', fields, organizerToken),
  );
  const { event } = getBody(created);
  if (code) {
    const body = { code: codeText, kind: 'percent', value: 10, ...code };
    const creation = httpEvent('POST', `/api/events/${event.id}/codes`, body, organizerToken);
    getBody(await service.invoke('codes-create-code', { ...creation, pathParameters: { id: event.id } }));
  }
  return { event, organizerToken };
}

/** Registers a buyer. @returns an access token */
export function registerBuyer(service: MeteredService, isMinted: boolean): Promise<string> {
  const walletAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  return register(service, { name: 'Maximiliane Wiegand-Bruss', ...(isMinted && { walletAddress }) });
}

/** Registers a user. @returns an access token */
async function register(service: MeteredService, person: object): Promise<string> {
  const email = `${randomUUID().slice(0, 13)}.wiegand@mail.example.com`;
  const fields = { email, password: 'correct horse battery', ...person };
  return getBody(await service.invoke('auth-register', httpEvent('POST', '/api/auth/register', fields)))
    .token;
}

export function initializeOrder(
  service: MeteredService,
  sale: Sale,
  buyerToken: string,
  options: OrderOptions = {},
): Promise<MeteredResponse> {
  return service.invoke('orders-initialize-order', orderRequest(sale, buyerToken, options));
}

interface OrderOptions {
  quantity?: number;
  code?: string | undefined;
}

/** Returns the request that creates an order. */
export function orderRequest({ event }: Sale, buyerToken: string, { quantity = 2, code }: OrderOptions) {
  const order = {
    eventId: event.id,
    ...(event.tiers.length > 1
      ? { items: event.tiers.map(({ id }: { id: string }) => ({ tierId: id, quantity })) }
      : { tierId: event.tiers[0].id, quantity }),
    paymentMethod: 'FIAT',
    gateway: 'gateway-a',
    ...(code && { code }),
  };
  return httpEvent('POST', '/api/orders/initialize', order, buyerToken);
}

/** Returns the check-in codes of the buyer's newest order. */
export async function readCheckInCodes(service: MeteredService, buyerToken: string): Promise<string[]> {
  const get = httpEvent('GET', '/api/orders', {}, buyerToken);
  const { orders } = getBody(await service.invoke('orders-list-orders', get));
  const found = await service.invoke('orders-get-order', { ...get, pathParameters: { id: orders[0].id } });
  return getBody(found).order.admissions.map(({ checkInCode }: { checkInCode: string }) => checkInCode);
}

/** Returns gateway-a's webhook for a paid order. */
export function paymentWebhook({ gatewaySecret }: MeteredService, initialized: MeteredResponse | undefined) {
  const { reference, totalAmount } = getBody(initialized);
  const data = { id: 4_099_260_516, reference, amount: totalAmount * 100, currency: 'USD' };
  const event = httpEvent('POST', '/api/webhooks/gateway-a', { event: 'charge.success', data });
  const signature = createHmac('sha512', gatewaySecret).update(event.body).digest('hex');
  return { ...event, headers: { ...event.headers, 'x-gateway-a-signature': signature } };
}

/** Returns the event that the HTTP API passes to a function. */
export function httpEvent(method: string, path: string, body: object, token?: string) {
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

/** Returns the body of a response. @throws Error for a response that is not a success */
export function getBody(metered: MeteredResponse | undefined) {
  const answer = metered?.answer;
  if (!(answer?.statusCode < 300)) throw new Error(`Refused: ${answer?.body}`);
  return JSON.parse(answer.body);
}

async function runInSequence<Result>(
  count: number,
  job: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < count; index++) results.push(await job(index));
  return results;
}
