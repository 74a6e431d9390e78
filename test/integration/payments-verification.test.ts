import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayNames } from '../../shared/payments/gateway.ts';
import { type OrderClient, orderClient } from '../support/order-client.ts';
import { registerUser } from '../support/people.ts';
import { deliverWebhook, providers } from '../support/providers.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';

/** Webhooks that are verified with the provider, and providers that can't be reached. */

const alone = { concurrent: false };
let stack: SeparateStack;
let { api, control, openSale, initializeOrder, availableOf }: OrderClient = {} as OrderClient;
beforeAll(async () => {
  stack = await startStack({ env: { VERIFY_WITH_GATEWAY: 'true' } });
  ({ api, control, openSale, initializeOrder, availableOf } = orderClient(stack));
});
afterAll(() => stack?.stop());

// Gateways run concurrently, since most of the time is waiting; each runs its tests in sequence, since they share its faults.
describe.concurrent.each(gatewayNames)('at %s', (gateway) => {
  const fiat = { paymentMethod: 'FIAT', gateway };
  const pay = (reference: string, body: object = {}) => control(`payments/${reference}/pay`, body);
  const less = gateway === 'gateway-b' ? 102.49 : 10249;

  it('a webhook counts only as far as the provider confirms it', alone, async () => {
    const event = await openSale();
    const [forged, inflated, honest] = await Promise.all([
      initializeOrder(event, fiat),
      initializeOrder(event, fiat),
      initializeOrder(event, fiat),
    ]);
    await pay(inflated.reference, { webhook: false, amount: less });
    await pay(honest.reference, { webhook: false });
    for (const { reference } of [forged, inflated, honest]) {
      const webhook = providers[gateway].paid(reference, 102.5, 'NGN');
      expect(await deliverWebhook(gateway, webhook, stack.apiUrl)).toMatchObject({
        status: 200,
        body: { ok: true },
      });
    }
    expect(await forged.read()).toMatchObject({
      paymentStatus: 'PENDING',
      paymentReview: `${gateway} does not confirm the payment it reported`,
    });
    expect(await inflated.read()).toMatchObject({
      paymentStatus: 'PENDING',
      paymentReview: 'Paid 10249, but 10250 minor units of NGN are due',
    });
    expect(await honest.read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentReview: null });
  });

  it.each(['error', 'hang', 'lose'])(
    'a redelivered webhook completes the order after verification failed: %s',
    alone,
    async (mode) => {
      const order = await initializeOrder(await openSale(), fiat);
      await pay(order.reference, { webhook: false });
      await control('faults', { gateway, mode });
      const webhook = providers[gateway].paid(order.reference, 102.5, 'NGN');
      expect(await deliverWebhook(gateway, webhook, stack.apiUrl)).toMatchObject({
        status: 500,
        body: { error: 'Something went wrong. Please try again later.' },
      });
      expect(await deliverWebhook(gateway, webhook, stack.apiUrl)).toMatchObject({ status: 200 });
      expect(await order.read()).toMatchObject({ paymentStatus: 'COMPLETED' });
    },
  );

  it.each(['error', 'hang', 'lose'])(
    'the order fails and its tickets are released when the provider fails to start the payment: %s',
    alone,
    async (mode) => {
      const event = await openSale();
      const { token } = await registerUser({}, stack);
      await control('faults', { gateway, mode });
      const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 2, ...fiat };
      const answer = await api('POST', '/api/orders/initialize', { token, body });
      expect(answer).toMatchObject({ status: 502, body: { error: 'The payment provider is not available' } });
      expect(await availableOf(event)).toBe(100);
      const { orders } = (await api('GET', '/api/orders', { token })).body;
      expect(orders).toMatchObject([{ paymentStatus: 'FAILED', failureReason: 'gateway-failed' }]);
    },
  );
});

describe('a provider whose list of banks fails', () => {
  const gateway = 'gateway-b';
  afterAll(async () => {
    for (const name of [gateway, 'gateway-a'])
      await control('faults', { gateway: name, mode: 'error', times: 0 });
  });

  it('is a 502, then for a while a 503 without another request, and the other provider is not affected', async () => {
    const { token } = await registerUser({ role: 'ORGANIZER' }, stack);
    const list = (from: string) => api('GET', `/api/banks?gateway=${from}&currency=NGN`, { token });
    const outcome = async () => {
      const { status, headers } = await list(gateway);
      return [status, headers.get('x-error-code')];
    };
    await control('faults', { gateway, mode: 'error', times: 5 });
    for (let attempt = 1; attempt <= 5; attempt++) expect(await outcome()).toEqual([502, 'provider-failed']);
    expect(await outcome()).toEqual([503, 'unavailable']);
    expect((await list(gateway)).headers.get('retry-after')).toBe('30');
    expect((await list('gateway-a')).status).toBe(200);
    // This list is not asked for again.
    await control('faults', { gateway: 'gateway-a', mode: 'error', times: 1 });
    expect((await list('gateway-a')).status).toBe(200);
  });
});
