import Paystack from 'paystack-sdk';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Sandbox, startPaymentSandbox } from '../../support/sandbox.ts';

/**
 * Tests the sandbox with clients that this project did not write. Stripe's client is official. Paystack's official
 * package has no code, so its client is a common third-party package. Flutterwave's client is not used, since it
 * reports every call over the internet.
 */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startPaymentSandbox();
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => sandbox.stop());

describe('Stripe’s own client', () => {
  const client = (key = sandbox.settings.GATEWAY_C_SECRET_KEY) =>
    new Stripe(key ?? '', {
      maxNetworkRetries: 0,
      httpClient: Stripe.createFetchHttpClient((url, init) => {
        const { pathname, search } = new URL(String(url));
        return fetch(`${sandbox.url}/gateway-c${pathname}${search}`, init);
      }),
    });
  const sessionParams = (reference: string): Stripe.Checkout.SessionCreateParams => ({
    mode: 'payment',
    client_reference_id: reference,
    success_url: 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}',
    line_items: [
      { quantity: 2, price_data: { currency: 'usd', unit_amount: 5125, product_data: { name: 'Standing' } } },
    ],
  });

  it('creates a session, verifies its webhook once paid, and refunds it', async () => {
    const stripe = client();
    const created = await stripe.checkout.sessions.create(sessionParams('stripe-1'));
    expect(created).toMatchObject({
      object: 'checkout.session',
      amount_total: 10250,
      currency: 'usd',
      status: 'open',
    });

    await sandbox.control('payments/stripe-1/pay');
    const paid = await stripe.checkout.sessions.retrieve(created.id);
    expect(paid).toMatchObject({ payment_status: 'paid', client_reference_id: 'stripe-1', url: null });

    const { body, headers } = sandbox.newestWebhook();
    const secret = sandbox.settings.GATEWAY_C_WEBHOOK_SECRET ?? '';
    const event = stripe.webhooks.constructEvent(body, `${headers['stripe-signature']}`, secret);
    expect(event).toMatchObject({ type: 'checkout.session.completed', data: { object: { id: created.id } } });

    const payment_intent = paid.payment_intent as string;
    const refund = await stripe.refunds.create({ payment_intent });
    expect(refund).toMatchObject({ object: 'refund', amount: 10250, status: 'succeeded', payment_intent });
    const { data } = await stripe.refunds.list({ payment_intent });
    expect(data.map(({ id }) => id)).toEqual([refund.id]);
  });

  it('gets the same response for an idempotency key, and errors in Stripe’s format', async () => {
    const stripe = client();
    const options = { idempotencyKey: 'stripe-2' };
    const first = await stripe.checkout.sessions.create(sessionParams('stripe-2'), options);
    expect((await stripe.checkout.sessions.create(sessionParams('stripe-2'), options)).id).toBe(first.id);
    await expect(stripe.checkout.sessions.create(sessionParams('other'), options)).rejects.toBeInstanceOf(
      Stripe.errors.StripeInvalidRequestError,
    );
    await expect(stripe.checkout.sessions.retrieve('cs_test_none')).rejects.toMatchObject({
      statusCode: 404,
    });
    await expect(client('wrong').checkout.sessions.create(sessionParams('x'))).rejects.toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    );
  });

  it('expires an unpaid session', async () => {
    const stripe = client();
    const { id } = await stripe.checkout.sessions.create(sessionParams('stripe-3'));
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired' });
  });
});

describe('a client of Paystack', () => {
  /** Redirects `fetch` to the sandbox, since the client has a fixed base URL. */
  const client = (key = sandbox.settings.GATEWAY_A_SECRET) => {
    const originalFetch = fetch;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
      originalFetch(url.replace('https://api.paystack.co', `${sandbox.url}/gateway-a`), init),
    );
    return new Paystack(key ?? '');
  };

  it('starts a payment, verifies it once paid, and refunds it', async () => {
    const paystack = client();
    const started = await paystack.transaction.initialize({
      email: 'bea@example.com',
      amount: '10250',
      currency: 'NGN',
      reference: 'paystack-1',
      callback_url: 'https://shop.example/thanks',
    });
    expect(started).toMatchObject({
      status: true,
      data: {
        authorization_url: expect.stringMatching(/^http/),
        access_code: expect.any(String),
        reference: 'paystack-1',
      },
    });

    expect(await paystack.transaction.verify('paystack-1')).toMatchObject({ data: { status: 'abandoned' } });
    await sandbox.control('payments/paystack-1/pay');
    const verified = await paystack.transaction.verify('paystack-1');
    expect(verified).toMatchObject({
      status: true,
      data: {
        id: expect.any(Number),
        status: 'success',
        amount: 10250,
        requested_amount: 10250,
        currency: 'NGN',
      },
    });

    const refund = await paystack.refund.create({ transaction: 'paystack-1', merchant_note: 'once' });
    expect(refund).toMatchObject({ status: true, data: { amount: 10250, merchant_note: 'once' } });
    const transaction = String((verified as { data: { id: number } }).data.id);
    expect(await paystack.refund.list({ transaction, currency: 'NGN' as never })).toMatchObject({
      data: [{ amount: 10250, merchant_note: 'once' }],
    });
  });

  it('sends money to a bank account', async () => {
    const paystack = client();
    const recipient = await paystack.recipient.create({
      type: 'nuban' as never,
      name: 'Olu Adeyemi',
      account_number: '0123456789',
      bank_code: '058',
      currency: 'NGN' as never,
    });
    const { recipient_code } = (recipient as { data: { recipient_code: string } }).data;
    const sent = await paystack.transfer.initiate({
      source: 'balance',
      amount: 6050,
      recipient: recipient_code,
      reference: 'paystack-transfer',
    } as never);
    expect(sent).toMatchObject({ status: true, data: { reference: 'paystack-transfer', amount: 6050 } });
  });

  it('gets status 401 with a wrong key', async () => {
    const verifying = client('wrong').transaction.verify('paystack-1');
    await expect(verifying).rejects.toMatchObject({ status: 401, body: { status: false } });
  });
});
