import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** How long to wait for the notification of a completed order, in milliseconds. */
const notificationTimeout = 60_000;

interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each step says what it expects
  body: any;
}

/**
 * Sells tickets at a running stage, as a buyer and an organizer would over HTTP: a free ticket up to its notification,
 * and a paid one up to the provider's checkout page. The event is unlisted, and the test cancels it.
 * @param origin the origin of the storefront, for a CORS preflight as browsers send it
 * @yields each step that succeeded, as a sentence
 * @throws Error with the failed step and the reason
 */
export async function* smokeTest(url: string, origin?: string): AsyncGenerator<string> {
  const mark = randomBytes(6).toString('hex');
  const api = client(url);
  await api('GET', '/api/health', 200);
  yield 'The API answers.';
  if (origin) {
    const preflight = await api('OPTIONS', '/api/orders/initialize', 204, {
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    const allowed = preflight.headers.get('access-control-allow-origin');
    if (allowed !== origin) throw new Error(`A page of ${origin} may not call the API, only of ${allowed}`);
    yield `Pages of ${origin} may call it.`;
  }
  const organizer = await register(api, `organizer-${mark}`, 'ORGANIZER');
  const buyer = await register(api, `buyer-${mark}`, 'USER');
  yield 'An organizer and a buyer are registered.';

  const event = await createEvent(api, organizer, mark);
  try {
    yield 'An event is on sale.';
    const free = await order(api, buyer, event.id, event.tiers[0].id);
    if (free.paymentStatus !== 'COMPLETED') throw new Error(`A free order is ${free.paymentStatus}`);
    await notified(api, buyer);
    yield 'A free ticket is sold, and its buyer notified.';
    const paid = await order(api, buyer, event.id, event.tiers[1].id);
    if (!URL.canParse(paid.checkoutUrl)) throw new Error('An order has no checkout page');
    await api('POST', `/api/orders/${paid.orderId}/cancel`, 200, { token: buyer });
    yield `The provider takes payments at ${new URL(paid.checkoutUrl).host}; the order is cancelled.`;
  } finally {
    await api('PUT', `/api/events/${event.id}`, 200, { token: organizer, body: { status: 'CANCELLED' } });
  }
  yield 'The event is cancelled.';
}

type Call = (
  method: string,
  path: string,
  expected: number,
  options?: { token?: string; body?: object; headers?: Record<string, string> },
) => Promise<Answer>;

function client(url: string): Call {
  return async (method, path, expected, { token, body, headers } = {}) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (response.status !== expected) {
      throw new Error(
        `${method} ${path} answered ${response.status} instead of ${expected}: ${text.slice(0, 300)}`,
      );
    }
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
  };
}

/** @returns an access token */
async function register(api: Call, name: string, role: 'USER' | 'ORGANIZER'): Promise<string> {
  // RFC 2606 reserves the domain, so no one receives its mail.
  const person = {
    email: `smoke-${name}@example.com`,
    password: randomBytes(18).toString('base64url'),
    name,
  };
  const { body } = await api('POST', '/api/auth/register', 201, { body: { ...person, role } });
  return body.token;
}

async function createEvent(api: Call, token: string, mark: string) {
  const tier = (name: string, price: number) => ({ name, price, quantity: 10, maxPerPerson: 10 });
  const created = await api('POST', '/api/events', 201, {
    token,
    body: {
      title: `Smoke test ${mark}`,
      venue: 'Nowhere',
      startDate: new Date(Date.now() + 7 * 24 * 3_600_000).toISOString(),
      tiers: [tier('Free', 0), tier('Paid', 10)],
    },
  });
  const { id } = created.body.event;
  const unlisted = await api('PUT', `/api/events/${id}`, 200, { token, body: { isPublic: false } });
  return unlisted.body.event;
}

async function order(api: Call, token: string, eventId: string, tierId: string) {
  const body = { eventId, tierId, quantity: 1, paymentMethod: 'FIAT' };
  return (await api('POST', '/api/orders/initialize', 201, { token, body })).body;
}

async function notified(api: Call, token: string): Promise<void> {
  for (const end = Date.now() + notificationTimeout; Date.now() < end; await wait(1_000)) {
    const { body } = await api('GET', '/api/notifications', 200, { token });
    if (body.notifications.length > 0) return;
  }
  throw new Error(`The buyer of a free ticket was not notified within ${notificationTimeout / 1_000} s`);
}
