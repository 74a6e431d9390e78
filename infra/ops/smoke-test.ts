import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Api, eventually } from './smoke-api.ts';

export interface SmokeOptions {
  /** The address of the API. */
  url: string;
  /** The origin of the storefront, for a CORS preflight as browsers send it. */
  origin?: string;
  /** The currency of the paid order, which the payment provider must support in test mode; by default USD. */
  currency?: string;
}

interface Person {
  id: string;
  token: string;
}

/** Removes a resource that the test has created. */
type Removal = () => Promise<unknown>;

/**
 * Uses a running stage as a buyer and as an organizer, over HTTP: sells a free ticket and checks it in, and starts a
 * payment in the provider's test mode. At the end and after a failure, it cancels its unlisted event and closes its
 * accounts, so the test can be repeated at any time.
 * @yields each step that succeeded, as a sentence
 * @throws Error with the failed step and the reason, in one sentence
 */
export async function* smokeTest({ url, origin, currency = 'USD' }: SmokeOptions): AsyncGenerator<string> {
  const api = new Api(url);
  const removals: Removal[] = [];
  try {
    yield* checkPublicEndpoints(api, origin);
    yield* sellTickets(api, currency, removals);
  } catch (error) {
    // Reports the failure of the test, not that of a removal.
    await runRemovals(removals).catch(() => undefined);
    throw error;
  }
  await runRemovals(removals);
  yield 'The event is cancelled, and both accounts are closed.';
}

/** Runs the removals in reverse order. Continues when one fails, and throws the first error at the end. */
async function runRemovals(removals: readonly Removal[]): Promise<void> {
  const failures: unknown[] = [];
  for (const removal of removals.toReversed()) await removal().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function* checkPublicEndpoints(api: Api, origin?: string): AsyncGenerator<string> {
  await api.call('GET', '/api/health', 200);
  yield 'The API responds.';
  const reference = await api.call('GET', '/api/openapi.json', 200);
  const page = await api.call('GET', '/docs', 200);
  if (!reference.body.paths?.['/api/events'] || !String(page.body).includes('<html')) {
    throw new Error('GET /docs or /api/openapi.json returned no API reference');
  }
  yield 'The API reference is available.';
  const { body } = await api.call('GET', '/api/events', 200);
  if (!Array.isArray(body.events)) throw new Error('GET /api/events returned no list');
  yield 'Events are listed.';
  const missing = await api.call('GET', '/api/no-such-path', 404);
  if (missing.headers.get('x-error-code') !== 'path-not-found' || !missing.body.error) {
    throw new Error('GET /api/no-such-path returned an error of API Gateway, not of the service');
  }
  yield 'The service responds to an unknown path.';
  if (!origin) return;
  const preflight = await api.call('OPTIONS', '/api/orders/initialize', 204, {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  const allowed = preflight.headers.get('access-control-allow-origin');
  if (allowed !== origin)
    throw new Error(`A page of ${origin} may not call the API; the allowed origin is ${allowed}`);
  yield `Pages of ${origin} may call the API.`;
}

async function* sellTickets(api: Api, currency: string, removals: Removal[]): AsyncGenerator<string> {
  const uniqueSuffix = randomBytes(6).toString('hex');
  const organizer = await register(api, uniqueSuffix, 'ORGANIZER', removals);
  const { id: eventId, tiers } = await createEvent(api, organizer, currency, uniqueSuffix, removals);
  // The removals close the buyer's account before they cancel the event. A cancelled event's order is refunded, and an
  // account can't be closed during a refund.
  const buyer = await register(api, uniqueSuffix, 'USER', removals);
  yield 'An organizer and a buyer are registered, and an event is on sale.';
  const [freeTier, paidTier] = tiers;

  const free = await createOrder(api, buyer, eventId, freeTier.id);
  if (!free) {
    yield 'The stage sells only to confirmed e-mail addresses, so the test orders no tickets.';
    return;
  }
  if (free.paymentStatus !== 'COMPLETED') throw new Error(`A free order is ${free.paymentStatus}`);
  await waitForNotification(api, buyer);
  const code = await eventually('A completed order had no check-in code, or was not fulfilled', async () => {
    const { body } = await api.call('GET', `/api/orders/${free.orderId}`, 200, { token: buyer.token });
    const isFulfilled = !['none', 'queued'].includes(body.order.fulfilment.status);
    return isFulfilled ? body.order.admissions[0]?.checkInCode : undefined;
  });
  yield 'A free ticket is sold, its buyer notified, and its check-in code shown.';
  const scan = { token: organizer.token, body: { code } };
  await api.call('POST', '/api/tickets/check-in', 200, scan);
  await api.call('POST', '/api/tickets/check-in', 409, scan);
  yield 'The ticket is checked in, and a second check-in is refused.';

  const paid = await createOrder(api, buyer, eventId, paidTier.id);
  const { token } = buyer;
  // 409: the order is cancelled already.
  const cancel = () => api.call('POST', `/api/orders/${paid.orderId}/cancel`, [200, 409], { token });
  removals.push(cancel);
  if (!URL.canParse(paid.checkoutUrl)) throw new Error('An unpaid order has no checkout page');
  const availableDuringHold = await readAvailable(api, organizer, eventId);
  if (availableDuringHold !== paidTier.available - 1)
    throw new Error(`With an unpaid order, ${availableDuringHold} tickets are available`);
  yield `The checkout page is at ${new URL(paid.checkoutUrl).host}; the ticket is held.`;
  await cancel();
  const availableAfterCancel = await readAvailable(api, organizer, eventId);
  if (availableAfterCancel !== paidTier.available)
    throw new Error('A cancelled order does not release its ticket');
  yield 'The unpaid order is cancelled, and its ticket is on sale again.';
}

async function register(
  api: Api,
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
  const { body } = await api.call('POST', '/api/auth/register', 201, { body: person });
  const { token } = body;
  removals.push(() => api.call('POST', `/api/users/${body.user.id}/erasure`, 200, { token }));
  return { id: body.user.id, token };
}

async function createEvent(
  api: Api,
  { token }: Person,
  currency: string,
  uniqueSuffix: string,
  removals: Removal[],
) {
  const tier = (name: string, price: number) => ({ name, price, quantity: 10, maxPerPerson: 10 });
  const { body } = await api.call('POST', '/api/events', 201, {
    token,
    body: {
      title: `Smoke test ${uniqueSuffix}`,
      venue: 'Nowhere',
      startDate: new Date(Date.now() + 7 * 24 * 3_600_000).toISOString(),
      currency,
      isPublic: false,
      tiers: [tier('Free', 0), tier('Paid', 10)],
    },
  });
  const { id } = body.event;
  removals.push(() => api.call('PUT', `/api/events/${id}`, 200, { token, body: { status: 'CANCELLED' } }));
  return body.event;
}

/** Orders a ticket. @returns undefined when the stage sells only to confirmed e-mail addresses */
async function createOrder(api: Api, { token }: Person, eventId: string, tierId: string) {
  const order = { eventId, tierId, quantity: 1, paymentMethod: 'FIAT' };
  const { headers, body } = await api.call('POST', '/api/orders/initialize', [201, 403], {
    token,
    body: order,
  });
  return headers.get('x-error-code') === 'email-not-verified' ? undefined : body;
}

/** Returns the number of available tickets of the paid tier. The request has a token, so that no cache responds. */
async function readAvailable(api: Api, { token }: Person, eventId: string): Promise<number> {
  const { body } = await api.call('GET', `/api/events/${eventId}`, 200, { token });
  return body.event.tiers[1].available;
}

async function waitForNotification(api: Api, { token }: Person): Promise<void> {
  await eventually('The buyer of a free ticket was not notified', async () => {
    const { body } = await api.call('GET', '/api/notifications', 200, { token });
    return body.notifications.length > 0 || undefined;
  });
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
