import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as api from '../client/index.ts';

export interface SmokeOptions {
  /** The address of the API. */
  url: string;
  /** The origin of the storefront, for a CORS preflight as browsers send it. */
  origin?: string;
  /** The currency of the paid order, which the payment provider must support in test mode; by default USD. */
  currency?: string;
  /** Whether the test only sells a free ticket, and starts no payment at the provider. */
  isFree?: boolean;
}

export interface Person {
  id: string;
  /** The options of calls as this person. */
  asPerson: { headers: { authorization: string } };
}

/** Removes a resource that the test has created. */
export type Removal = () => Promise<unknown>;

/**
 * Uses a running stage as a buyer and as an organizer, over HTTP: sells a free ticket and checks it in, and starts a
 * payment in the provider's test mode. At the end and after a failure, it cancels its unlisted event and closes its
 * accounts, so the test can be repeated at any time.
 * @yields each step that succeeded, as a sentence
 * @throws Error with the failed step and the reason, in one sentence
 */
export async function* smokeTest({
  url,
  origin,
  currency = 'USD',
  isFree = false,
}: SmokeOptions): AsyncGenerator<string> {
  useApi(url);
  const removals: Removal[] = [];
  try {
    yield* checkPublicEndpoints(url, origin);
    yield* sellTickets(currency, isFree, removals);
  } catch (error) {
    // Reports the failure of the test, not that of a removal.
    await runRemovals(removals).catch(() => undefined);
    throw error;
  }
  await runRemovals(removals);
  yield 'The event is cancelled, and both accounts are closed.';
}

/** Makes the client's calls go to a stage. */
export function useApi(url: string): void {
  api.defaults.baseUrl = url.replace(/\/$/, '');
  api.defaults.fetch = send;
}

/** Runs the removals in reverse order. Continues when one fails, and throws the first error at the end. */
export async function runRemovals(removals: readonly Removal[]): Promise<void> {
  const failures: unknown[] = [];
  for (const removal of removals.toReversed()) await removal().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * Sends a request, and adds its method and path to the response, for the messages of errors.
 * @throws Error when no complete response arrives within 30 s
 */
async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const options = { method: 'GET', ...init, signal: AbortSignal.timeout(30_000) };
  const request = `${options.method} ${new URL(String(input)).pathname}`;
  try {
    const response = await fetch(input, options);
    const text = await response.text();
    const headers = new Headers(response.headers);
    headers.set('request', request);
    return new Response(text || null, { status: response.status, headers });
  } catch (error) {
    const { cause, message } = error as Error;
    throw new Error(`${request} got no response: ${(cause as Error)?.message ?? message}`);
  }
}

type AnyResponse = { status: number; headers: Headers; data?: unknown };
type WithStatus<Answer extends AnyResponse, Status> = number extends Answer['status']
  ? Answer
  : Extract<Answer, { status: Status }>;

/** Waits for a response. @throws Error in one sentence for a status that is not expected */
export async function expectStatus<Answer extends AnyResponse, Status extends Answer['status']>(
  answer: Promise<Answer>,
  ...expected: Status[]
): Promise<WithStatus<Answer, Status>> {
  const { status, headers, data } = await answer;
  if (!expected.includes(status as Status)) {
    const body = JSON.stringify(data)?.slice(0, 300);
    throw new Error(
      `${headers.get('request')} returned ${status} instead of ${expected.join(' or ')}: ${body}`,
    );
  }
  return (await answer) as WithStatus<Answer, Status>;
}

async function* checkPublicEndpoints(url: string, origin?: string): AsyncGenerator<string> {
  await expectStatus(api.health(), 200);
  yield 'The API responds.';
  const reference = await expectStatus(api.openapi(), 200);
  const page = await expectStatus(send(new URL('/docs', url)), 200);
  if (!('/api/events' in Object(reference.data).paths) || !(await page.text()).includes('<html')) {
    throw new Error('GET /docs or /api/openapi.json returned no API reference');
  }
  yield 'The API reference is available.';
  await expectStatus(api.listEvents(), 200);
  yield 'Events are listed.';
  const missing = await expectStatus(send(new URL('/api/no-such-path', url)), 404);
  if (missing.headers.get('x-error-code') !== 'path-not-found') {
    throw new Error('GET /api/no-such-path returned an error of API Gateway, not of the service');
  }
  yield 'The service responds to an unknown path.';
  if (!origin) return;
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  };
  const preflight = send(new URL('/api/orders/initialize', url), { method: 'OPTIONS', headers });
  const allowed = (await expectStatus(preflight, 204)).headers.get('access-control-allow-origin');
  if (allowed !== origin)
    throw new Error(`A page of ${origin} may not call the API; the allowed origin is ${allowed}`);
  yield `Pages of ${origin} may call the API.`;
}

async function* sellTickets(currency: string, isFree: boolean, removals: Removal[]): AsyncGenerator<string> {
  const uniqueSuffix = randomBytes(6).toString('hex');
  const organizer = await register(uniqueSuffix, 'ORGANIZER', removals);
  const { id: eventId, tiers } = await createEvent(organizer, currency, uniqueSuffix, removals);
  // The removals close the buyer's account before they cancel the event. A cancelled event's order is refunded, and an
  // account can't be closed during a refund.
  const buyer = await register(uniqueSuffix, 'USER', removals);
  yield 'An organizer and a buyer are registered, and an event is on sale.';
  const [freeTier, paidTier] = tiers as [api.Tier, api.Tier];

  const free = await createOrder(buyer, eventId, freeTier.id);
  if (!free) {
    yield 'The stage sells only to confirmed e-mail addresses, so the test orders no tickets.';
    return;
  }
  if (free.paymentStatus !== 'COMPLETED') throw new Error(`A free order is ${free.paymentStatus}`);
  await eventually('The buyer of a free ticket was not notified', async () => {
    const { data } = await expectStatus(api.listNotifications({}, buyer.asPerson), 200);
    return data.notifications.length > 0 || undefined;
  });
  const code = await eventually('A completed order had no check-in code, or was not fulfilled', async () => {
    const { order } = (await expectStatus(api.getOrder(free.orderId, buyer.asPerson), 200)).data;
    const isFulfilled = !['none', 'queued'].includes(order.fulfilment.status);
    return isFulfilled ? (order.admissions[0]?.checkInCode ?? undefined) : undefined;
  });
  yield 'A free ticket is sold, its buyer notified, and its check-in code shown.';
  await expectStatus(api.checkIn({ code }, organizer.asPerson), 200);
  await expectStatus(api.checkIn({ code }, organizer.asPerson), 409);
  yield 'The ticket is checked in, and a second check-in is refused.';

  if (isFree) return;
  const paid = await createOrder(buyer, eventId, paidTier.id);
  if (!paid) throw new Error('The buyer may order a free ticket, but no paid one');
  // 409: the order is cancelled already.
  const cancel = () => expectStatus(api.cancelOrder(paid.orderId, buyer.asPerson), 200, 409);
  removals.push(cancel);
  const checkoutUrl = paid.checkoutUrl ?? '';
  if (!URL.canParse(checkoutUrl)) throw new Error('An unpaid order has no checkout page');
  const availableDuringHold = await readAvailable(organizer, eventId);
  if (availableDuringHold !== paidTier.available - 1)
    throw new Error(`With an unpaid order, ${availableDuringHold} tickets are available`);
  yield `The checkout page is at ${new URL(checkoutUrl).host}; the ticket is held.`;
  await cancel();
  if ((await readAvailable(organizer, eventId)) !== paidTier.available)
    throw new Error('A cancelled order does not release its ticket');
  yield 'The unpaid order is cancelled, and its ticket is on sale again.';
}

export async function register(
  uniqueSuffix: string,
  role: 'USER' | 'ORGANIZER',
  removals: Removal[],
): Promise<Person> {
  const name = `smoke-${role.toLowerCase()}-${uniqueSuffix}`;
  const person = {
    // Amazon's mailbox simulator: mail to another invented address would bounce, and lower the sender's reputation.
    email: `success+${name}@simulator.amazonses.com`,
    password: randomBytes(18).toString('base64url'),
    name,
    role,
  };
  const { user, token } = (await expectStatus(api.register(person), 201)).data;
  const asPerson = { headers: { authorization: `Bearer ${token}` } };
  // 409: the tickets of the cancelled event are still being refunded.
  removals.push(() =>
    eventually('An account could not be closed', async () => {
      const { status } = await expectStatus(api.requestErasure(user.id, asPerson), 200, 409);
      return status === 200 || undefined;
    }),
  );
  return { id: user.id, asPerson };
}

export async function createEvent(
  { asPerson }: Person,
  currency: string,
  uniqueSuffix: string,
  removals: Removal[],
  quantity = 10,
): Promise<api.Event> {
  const tier = (name: string, price: number) => ({ name, price, quantity, maxPerPerson: 10 });
  const created = api.createEvent(
    {
      title: `Smoke test ${uniqueSuffix}`,
      venue: 'Nowhere',
      startDate: new Date(Date.now() + 7 * 24 * 3_600_000).toISOString(),
      currency: currency as api.Currency,
      isPublic: false,
      tiers: [tier('Free', 0), tier('Paid', 10)],
    },
    {},
    asPerson,
  );
  const { event } = (await expectStatus(created, 201)).data;
  removals.push(() => expectStatus(api.updateEvent(event.id, { status: 'CANCELLED' }, asPerson), 200));
  return event;
}

/** Orders a ticket. @returns undefined when the stage sells only to confirmed e-mail addresses */
async function createOrder({ asPerson }: Person, eventId: string, tierId: string) {
  const order = { eventId, tierId, quantity: 1, paymentMethod: 'FIAT' } as const;
  const response = await expectStatus(api.initializeOrder(order, {}, asPerson), 201, 403);
  if (response.status === 201) return response.data;
  if (response.headers.get('x-error-code') === 'email-not-verified') return undefined;
  throw new Error(`POST /api/orders/initialize returned 403: ${response.data.error}`);
}

/** Returns the number of available tickets of the paid tier. The request has a token, so that no cache responds. */
async function readAvailable({ asPerson }: Person, eventId: string): Promise<number | undefined> {
  const { event } = (await expectStatus(api.getEvent(eventId, {}, asPerson), 200)).data;
  return event.tiers[1]?.available;
}

/** The time that workers may need. */
const timeoutMilliseconds = 60_000;

/**
 * Polls until there is a result.
 * @param failure the beginning of the error: `The order was not fulfilled`
 * @throws Error after a minute
 */
async function eventually<Result>(failure: string, poll: () => Promise<Result | undefined>): Promise<Result> {
  for (const end = Date.now() + timeoutMilliseconds; Date.now() < end; await wait(500)) {
    const result = await poll();
    if (result !== undefined) return result;
  }
  throw new Error(`${failure} within ${timeoutMilliseconds / 1_000} s`);
}

/**
 * Sells a ticket on a deployed stage. Then cancels the event and closes the accounts that it has created. With --origin
 * it also checks that pages of the storefront may call the API (CORS).
 */
export async function runSmokeTest(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { url: { type: 'string' }, origin: { type: 'string' }, currency: { type: 'string' } },
  });
  const { url, origin, currency } = values;
  if (!url) throw new Error('Pass the address of the API: --url https://…');
  for await (const step of smokeTest({ url, origin, currency })) console.log(`✓ ${step}`);
}
