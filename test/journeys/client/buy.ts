import { defaults, getEvent, getOrder, HttpError, initializeOrder, ok, register } from 'boxoffice-client';

/** A project with nothing but the packaged client buys a ticket. client.test.ts copies this into an empty folder. */

const { API_URL = '', SANDBOX_URL, EVENT_ID = '', EMAIL = '' } = process.env;
defaults.baseUrl = API_URL;

const buyer = { email: EMAIL, password: 'battery staple', name: 'Ben Buyer' };
const { token } = await ok(register(buyer));
const refused = await ok(register(buyer)).catch((error: unknown) => error);
defaults.headers = { authorization: `Bearer ${token}` };

const { event } = await ok(getEvent(EVENT_ID));
const tierId = event.tiers[0]?.id ?? '';
const { orderId, reference } = await ok(
  initializeOrder(
    { eventId: event.id, tierId, quantity: 1, paymentMethod: 'FIAT', gateway: 'gateway-a' },
    { idempotencyKey: crypto.randomUUID() },
  ),
);
await fetch(`${SANDBOX_URL}/control/payments/${reference}/pay`, { method: 'POST', body: '{}' });

let { order } = await ok(getOrder(orderId));
while (order.paymentStatus === 'PENDING' || order.admissions.length === 0) {
  await new Promise((resolve) => setTimeout(resolve, 250));
  ({ order } = await ok(getOrder(orderId)));
}
console.log(
  JSON.stringify({
    refused: refused instanceof HttpError && [refused.status, refused.headers.get('x-error-code')],
    paymentStatus: order.paymentStatus,
    codes: order.admissions.length,
  }),
);
