import { randomBytes } from 'node:crypto';
import { Api, eventually } from './api.ts';

export interface SmokeOptions {
  /** The address of the API. */
  url: string;
  /** The origin of the storefront, for a CORS preflight as browsers send it. */
  origin?: string;
  /** The currency of the paid order, which the payment provider has to take in test mode; by default USD. */
  currency?: string;
}

interface Person {
  id: string;
  token: string;
}

/** Removes something that the test has created. */
type Removal = () => Promise<unknown>;

/**
 * Uses a running stage as a buyer and an organizer would, over HTTP: sells a free ticket up to its check-in, and starts
 * a payment in the provider's test mode. At the end, and after a failure, it cancels its event, which is not listed,
 * and closes its accounts, so that it can be repeated at any time.
 * @yields each step that succeeded, as a sentence
 * @throws Error with the failed step and the reason, in one sentence
 */
export async function* smokeTest({ url, origin, currency = 'USD' }: SmokeOptions): AsyncGenerator<string> {
  const api = new Api(url);
  const removals: Removal[] = [];
  try {
    yield* look(api, origin);
    yield* sell(api, currency, removals);
  } catch (error) {
    // The first failure is the one to report.
    await remove(removals).catch(() => undefined);
    throw error;
  }
  await remove(removals);
  yield 'The event is cancelled, and both accounts are closed.';
}

/** Runs the removals in reverse order. Continues when one fails, and throws the first error at the end. */
async function remove(removals: readonly Removal[]): Promise<void> {
  const failures: unknown[] = [];
  for (const removal of removals.toReversed()) await removal().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Checks the public endpoints. */
async function* look(api: Api, origin?: string): AsyncGenerator<string> {
  await api.call('GET', '/api/health', 200);
  yield 'The API answers.';
  const reference = await api.call('GET', '/api/openapi.json', 200);
  const page = await api.call('GET', '/docs', 200);
  if (!reference.body.paths?.['/api/events'] || !String(page.body).includes('<html')) {
    throw new Error('GET /docs or /api/openapi.json shows no reference');
  }
  yield 'The API reference is there.';
  const { body } = await api.call('GET', '/api/events', 200);
  if (!Array.isArray(body.events)) throw new Error('GET /api/events lists no events');
  yield 'Events are listed.';
  const missing = await api.call('GET', '/api/no-such-path', 404);
  if (missing.headers.get('x-error-code') !== 'path-not-found' || !missing.body.error) {
    throw new Error('GET /api/no-such-path has an answer of API Gateway instead of ours');
  }
  yield 'An unknown path is answered by the service.';
  if (!origin) return;
  const preflight = await api.call('OPTIONS', '/api/orders/initialize', 204, {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  const allowed = preflight.headers.get('access-control-allow-origin');
  if (allowed !== origin) throw new Error(`A page of ${origin} may not call the API, only of ${allowed}`);
  yield `Pages of ${origin} may call the API.`;
}

async function* sell(api: Api, currency: string, removals: Removal[]): AsyncGenerator<string> {
  const uniqueSuffix = randomBytes(6).toString('hex');
  const organizer = await register(api, uniqueSuffix, 'ORGANIZER', removals);
  const { id: eventId, tiers } = await createEvent(api, organizer, currency, uniqueSuffix, removals);
  // The removals close the buyer's account before they cancel the event. A cancelled event's order is refunded, and an
  // account can't be closed during a refund.
  const buyer = await register(api, uniqueSuffix, 'USER', removals);
  yield 'An organizer and a buyer are registered, and an event is on sale.';
  const [freeTier, paidTier] = tiers;

  const free = await order(api, buyer, eventId, freeTier.id);
  if (free.paymentStatus !== 'COMPLETED') throw new Error(`A free order is ${free.paymentStatus}`);
  await notified(api, buyer);
  const code = await eventually('A completed order had no check-in code, or was not fulfilled', async () => {
    const { body } = await api.call('GET', `/api/orders/${free.orderId}`, 200, { token: buyer.token });
    const isFulfilled = !['none', 'queued'].includes(body.order.fulfilment.status);
    return isFulfilled ? body.order.admissions[0]?.checkInCode : undefined;
  });
  yield 'A free ticket is sold, its buyer notified, and its check-in code shown.';
  const scan = { token: organizer.token, body: { code } };
  await api.call('POST', '/api/tickets/check-in', 200, scan);
  await api.call('POST', '/api/tickets/check-in', 409, scan);
  yield 'It is checked in once, and not twice.';

  const paid = await order(api, buyer, eventId, paidTier.id);
  const { token } = buyer;
  // 409: cancelled already.
  const cancel = () => api.call('POST', `/api/orders/${paid.orderId}/cancel`, [200, 409], { token });
  removals.push(cancel);
  if (!URL.canParse(paid.checkoutUrl)) throw new Error('An unpaid order has no checkout page');
  const left = await available(api, organizer, eventId);
  if (left !== paidTier.available - 1) throw new Error(`An unpaid order leaves ${left} tickets on sale`);
  yield `The provider takes payments at ${new URL(paid.checkoutUrl).host}; the ticket is held.`;
  await cancel();
  const released = await available(api, organizer, eventId);
  if (released !== paidTier.available) throw new Error('A cancelled order does not release its ticket');
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
    // Amazon's mailbox simulator: mail to any other invented address would bounce, and count against the sender.
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

async function order(api: Api, { token }: Person, eventId: string, tierId: string) {
  const body = { eventId, tierId, quantity: 1, paymentMethod: 'FIAT' };
  return (await api.call('POST', '/api/orders/initialize', 201, { token, body })).body;
}

/** The tickets of the paid tier that can be bought, read with a token, so that no cache answers. */
async function available(api: Api, { token }: Person, eventId: string): Promise<number> {
  const { body } = await api.call('GET', `/api/events/${eventId}`, 200, { token });
  return body.event.tiers[1].available;
}

async function notified(api: Api, { token }: Person): Promise<void> {
  await eventually('The buyer of a free ticket was not notified', async () => {
    const { body } = await api.call('GET', '/api/notifications', 200, { token });
    return body.notifications.length > 0 || undefined;
  });
}
