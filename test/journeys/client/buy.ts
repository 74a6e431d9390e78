import { defaults, getEvent, getOrder, HttpError, initializeOrder, ok, register } from 'boxoffice-client';

/** Buys a ticket with the packaged client. client.test.ts copies this file into an empty project. */

const { API_URL = '', SANDBOX_URL, EVENT_ID = '', EMAIL = '' } = process.env;
defaults.baseUrl = API_URL;

const buyer = { email: EMAIL, password: 'battery staple', name: 'Ben Buyer' };
const { token } = await ok(register(buyer));
const refusal = await ok(register(buyer)).catch((reason: unknown) => reason);
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
    secondRegistration: refusal instanceof HttpError && [refusal.status, refusal.headers.get('x-error-code')],
    paymentStatus: order.paymentStatus,
    checkInCodes: order.admissions.length,
  }),
);
