import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Currency, currencies, toMinor } from '../../../shared/core/money.ts';
import type { GatewayName } from '../../../shared/core/schemas.ts';
import type {
  Gateway,
  Payment,
  PaymentSignal,
  Refund,
  WebhookReader,
} from '../../../shared/payments/gateway.ts';
import { gatewayA, readGatewayAWebhook } from '../../../shared/payments/gateway-a.ts';
import { gatewayB, readGatewayBWebhook } from '../../../shared/payments/gateway-b.ts';
import { gatewayC, readGatewayCWebhook } from '../../../shared/payments/gateway-c.ts';
import { providerTimeoutMilliseconds, sumExecuted } from '../../../shared/payments/provider.ts';
import { type Sandbox, startPaymentSandbox } from '../../support/sandbox.ts';

/** Tests that apply to every gateway, over HTTP against the sandbox. */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startPaymentSandbox();
});
afterEach(() => sandbox.control('faults', {}, 'DELETE'));
afterAll(() => sandbox.stop());

const subjects: [
  GatewayName,
  { gateway: Gateway; read: WebhookReader; urlVariable: string; keyVariable: string },
][] = [
  [
    'gateway-a',
    {
      gateway: gatewayA,
      read: readGatewayAWebhook,
      urlVariable: 'GATEWAY_A_URL',
      keyVariable: 'GATEWAY_A_SECRET',
    },
  ],
  [
    'gateway-b',
    {
      gateway: gatewayB,
      read: readGatewayBWebhook,
      urlVariable: 'GATEWAY_B_URL',
      keyVariable: 'GATEWAY_B_SECRET_KEY',
    },
  ],
  [
    'gateway-c',
    {
      gateway: gatewayC,
      read: readGatewayCWebhook,
      urlVariable: 'GATEWAY_C_URL',
      keyVariable: 'GATEWAY_C_SECRET_KEY',
    },
  ],
];

let count = 0;
const createPayment = (changes: Partial<Payment> = {}): Payment => ({
  reference: `BOX-ABC123-1700000000000-${String(++count).padStart(8, '0')}`,
  amount: 1_025_00n,
  currency: 'USD',
  email: 'bea@example.com',
  name: 'Bea Santos',
  description: '2 tickets',
  returnUrl: 'https://shop.example/orders/1',
  expiresAt: new Date(Date.now() + 900_000).toISOString(),
  ...changes,
});

const createRefund = (paid: Pick<Refund, 'transactionId' | 'reference' | 'amount' | 'currency'>): Refund => ({
  ...paid,
  paidAmount: 1_025_00n,
  idempotencyKey: `refund-${paid.reference}`,
  finishedRefunds: [],
  mayRequest: true,
  attempt: '1',
});

const providerFailed = expect.objectContaining({ kind: 'provider-failed' });

describe.each(subjects)('%s', (name, { gateway, read, urlVariable, keyVariable }) => {
  /** Reads the signal of the newest webhook. */
  const readSignal = () => {
    const { headers, body } = sandbox.newestWebhook();
    return read(body, (header) => headers[header]?.toString());
  };

  /** Starts a payment and pays it in the sandbox. */
  async function pay(changes: Partial<Payment> = {}, options: object = {}) {
    const payment = createPayment(changes);
    const started = { reference: payment.reference, ...(await gateway.start(payment)) };
    await sandbox.control(`payments/${payment.reference}/pay`, options);
    return { payment, started };
  }

  it('reports whether it is configured', async () => {
    expect(gateway.name).toBe(name);
    expect(await gateway.isConfigured()).toBe(true);
    await withEnvironment({ [keyVariable]: '' }, async () =>
      expect(await gateway.isConfigured()).toBe(false),
    );
    await withEnvironment({ [urlVariable]: '' }, async () =>
      expect(await gateway.isConfigured()).toBe(false),
    );
  });

  it('returns a checkout page with the price', async () => {
    const { checkoutUrl } = await gateway.start(createPayment());
    const page = await fetch(checkoutUrl);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('$1,025.00');
  });

  it('reports the same payment by webhook and by lookup', async () => {
    const { payment, started } = await pay();
    const signal = {
      kind: 'paid',
      reference: payment.reference,
      transactionId: expect.stringMatching(/^\w+$/),
      amount: 1_025_00n,
      currency: 'USD',
      ...(started.checkoutSession && { checkoutSession: started.checkoutSession }),
    };
    expect(sandbox.newestWebhook().path).toBe(`/api/webhooks/${name}`);
    expect(await readSignal()).toEqual(signal);
    expect(await gateway.findPayment(started)).toEqual(await readSignal());
  });

  it('finds no payment before it is made, after it was declined, or for an unknown reference', async () => {
    const payment = createPayment();
    const started = { reference: payment.reference, ...(await gateway.start(payment)) };
    expect(await gateway.findPayment(started)).toBeUndefined();
    await sandbox.control(`payments/${payment.reference}/decline`);
    // A checkout of gateway-c stays open.
    const kind = name === 'gateway-c' ? 'declined' : 'failed';
    expect(await readSignal()).toMatchObject({ kind, reference: payment.reference });
    expect(await gateway.findPayment(started)).toBeUndefined();
    expect(await gateway.findPayment({ reference: createPayment().reference })).toBeUndefined();
  });

  it('reports the amount that was paid', async () => {
    // The sandbox expects the provider's unit: naira for gateway-b, kobo for the others.
    const { started } = await pay({}, { amount: 7, currency: 'NGN' });
    const amount = name === 'gateway-b' ? 700n : 7n;
    expect(await readSignal()).toMatchObject({ kind: 'paid', amount, currency: 'NGN' });
    expect(await gateway.findPayment(started)).toMatchObject({ amount, currency: 'NGN' });
  });

  const supported = currencies.filter((currency) => gateway.supports(currency, 10n));
  it.each(supported)('reports a payment in %s exactly', async (currency: Currency) => {
    const amount = toMinor('1230', currency) as bigint;
    await pay({ currency, amount });
    expect(await readSignal()).toMatchObject({ amount, currency });
  });

  it('does not support cryptocurrencies', () => {
    expect(supported).not.toHaveLength(0);
    for (const coin of ['ETH', 'POL', 'USDC', 'USDT'] as const)
      expect(gateway.supports(coin, 10n)).toBe(false);
  });

  it.each(['error', 'lose'])('fails after a fault of the provider: %s', async (mode) => {
    await sandbox.control('faults', { gateway: name, mode, times: 2 });
    await expect(gateway.start(createPayment())).rejects.toEqual(providerFailed);
    await expect(gateway.findPayment({ reference: 'x', checkoutSession: 'x' })).rejects.toEqual(
      providerFailed,
    );
  });

  it('fails after a timeout', async () => {
    await sandbox.control('faults', { gateway: name, mode: 'hang' });
    const before = performance.now();
    await expect(gateway.findPayment({ reference: 'x', checkoutSession: 'x' }, 200)).rejects.toEqual(
      providerFailed,
    );
    expect(performance.now() - before).toBeLessThan(providerTimeoutMilliseconds);
  });

  it('fails without a connection, and with a wrong key', async () => {
    const nowhere = { [urlVariable]: 'http://127.0.0.1:1' };
    await withEnvironment(nowhere, () =>
      expect(gateway.start(createPayment())).rejects.toEqual(providerFailed),
    );
    await withEnvironment({ [keyVariable]: 'wrong' }, async () => {
      await expect(gateway.start(createPayment())).rejects.toEqual(providerFailed);
      await expect(gateway.findPayment({ reference: 'x', checkoutSession: 'x' })).rejects.toEqual(
        providerFailed,
      );
    });
  });

  it('refunds a payment once, even if the first response is lost', async () => {
    const { payment, started } = await pay();
    const { transactionId } = (await gateway.findPayment(started)) ?? { transactionId: '' };
    const { reference, amount, currency } = payment;
    const refund = createRefund({ transactionId, reference, amount, currency });
    await sandbox.control('faults', { gateway: name, mode: 'lose' });
    await expect(gateway.refund(refund)).rejects.toEqual(providerFailed);
    expect(await gateway.refund({ ...refund, attempt: '2' })).toMatchObject({ state: 'done' });
    expect(await gateway.refund({ ...refund, attempt: '3' })).toMatchObject({ state: 'done' });
    const { refunds } = await sandbox.control(`payments/${reference}`, {}, 'GET');
    expect(refunds).toHaveLength(1);
  });

  it('makes two refunds of the same amount of one payment, each once although its first response is lost', async () => {
    const { payment, started } = await pay();
    const { transactionId = '' } = (await gateway.findPayment(started)) ?? {};
    const { reference, currency } = payment;
    const first = createRefund({ transactionId, reference, amount: 100_00n, currency });
    await sandbox.control('faults', { gateway: name, mode: 'lose' });
    await expect(gateway.refund(first)).rejects.toEqual(providerFailed);
    const finished = await gateway.refund({ ...first, attempt: '2' });
    expect(finished).toEqual({ id: expect.stringMatching(/^\w+$/), state: 'done' });

    const second = {
      ...first,
      idempotencyKey: `${first.idempotencyKey}-2`,
      finishedRefunds: [finished.id ?? ''],
    };
    await sandbox.control('faults', { gateway: name, mode: 'lose' });
    await expect(gateway.refund(second)).rejects.toEqual(providerFailed);
    const other = await gateway.refund({ ...second, attempt: '2' });
    expect(other.state).toBe('done');
    expect(other.id).not.toBe(finished.id);
    expect(sumExecuted(await gateway.findReturns({ transactionId, currency }))).toBe(200_00n);
  });

  it('refunds in part beside a refund in the provider’s dashboard, and never more than was paid', async () => {
    const { payment, started } = await pay();
    const { transactionId = '' } = (await gateway.findPayment(started)) ?? {};
    const { reference, currency } = payment;
    const inDashboard = (amount: number) =>
      sandbox.control(`payments/${reference}/refund`, {
        amount: name === 'gateway-b' ? amount : amount * 100,
      });
    await inDashboard(25);
    const refund = createRefund({ transactionId, reference, amount: 600_00n, currency });
    const { id = '' } = await gateway.refund(refund);
    expect(sumExecuted(await gateway.findReturns({ transactionId, currency }))).toBe(625_00n);
    await gateway.refund({ ...refund, idempotencyKey: 'another', finishedRefunds: [id] });
    expect(sumExecuted(await gateway.findReturns({ transactionId, currency }))).toBe(1_025_00n);
    expect(await gateway.refund({ ...refund, idempotencyKey: 'a third', finishedRefunds: [id] })).toEqual({
      state: 'done',
    });
  });

  it('completes a refund at a later attempt, after one was refused and another failed', async () => {
    const { payment, started } = await pay();
    const { transactionId } = (await gateway.findPayment(started)) ?? { transactionId: '' };
    const { reference, amount, currency } = payment;
    const refund = createRefund({ transactionId, reference, amount, currency });
    await sandbox.control('faults', { refuseRefunds: 1, holdRefunds: true });
    await expect(gateway.refund(refund)).rejects.toEqual(providerFailed);
    expect(await gateway.refund({ ...refund, attempt: '2' })).toMatchObject({ state: 'pending' });
    await sandbox.control(`payments/${reference}/end-refunds`, { status: 'failed' });
    expect(await gateway.refund({ ...refund, attempt: '3' })).toMatchObject({ state: 'pending' });
    expect(await gateway.refund({ ...refund, attempt: '4' })).toMatchObject({ state: 'pending' });
    await sandbox.control(`payments/${reference}/end-refunds`, { status: 'done' });
    expect(await gateway.refund({ ...refund, attempt: '5' })).toMatchObject({ state: 'done' });
    const { refunds } = await sandbox.control(`payments/${reference}`, {}, 'GET');
    expect(refunds).toMatchObject([{ status: 'failed' }, { status: 'done' }]);
  });

  it('refunds what partial refunds in the provider’s dashboard have left, once', async () => {
    const { payment, started } = await pay();
    const { transactionId = '' } = (await gateway.findPayment(started)) ?? {};
    const { reference, amount, currency } = payment;
    await sandbox.control(`payments/${reference}/refund`, { amount: 1 });
    const refund = createRefund({ transactionId, reference, amount, currency });
    await sandbox.control('faults', { gateway: name, mode: 'lose' });
    await expect(gateway.refund(refund)).rejects.toEqual(providerFailed);
    expect(await gateway.refund({ ...refund, attempt: '2' })).toMatchObject({ state: 'done' });
    const { refunds, paid } = await sandbox.control(`payments/${reference}`, {}, 'GET');
    expect(refunds).toMatchObject([{ amount: 1 }, { amount: paid.amount - 1 }]);
  });

  it('requests nothing for a payment that went back already', async () => {
    const { payment, started } = await pay();
    const { transactionId = '' } = (await gateway.findPayment(started)) ?? {};
    const { reference, amount, currency } = payment;
    await sandbox.control(`payments/${reference}/dispute`, { status: 'lost' });
    const before = await sandbox.control(`payments/${reference}`, {}, 'GET');
    const refund = createRefund({ transactionId, reference, amount, currency });
    expect(await gateway.refund(refund)).toMatchObject({ state: 'done' });
    expect(await sandbox.control(`payments/${reference}`, {}, 'GET')).toEqual(before);
  });

  it('makes no refund while it can’t look up earlier refunds', async () => {
    const { payment, started } = await pay();
    const { transactionId } = (await gateway.findPayment(started)) ?? { transactionId: '' };
    const { reference, amount, currency } = payment;
    const refund = createRefund({ transactionId, reference, amount, currency });
    await sandbox.control('faults', { gateway: name, mode: 'refuse' });
    await expect(gateway.refund(refund)).rejects.toEqual(providerFailed);
    const { refunds } = await sandbox.control(`payments/${reference}`, {}, 'GET');
    expect(refunds).toEqual([]);
  });

  it('reads all pages of a payment’s refunds', async () => {
    const { payment, started } = await pay();
    const { transactionId = '' } = (await gateway.findPayment(started)) ?? {};
    const { reference, currency } = payment;
    const refund = createRefund({ transactionId, reference, amount: 500_00n, currency });
    const amount = name === 'gateway-b' ? 1 : 1_00;
    const refundPart = () => sandbox.control(`payments/${reference}/refund`, { amount });
    await Promise.all(Array.from({ length: 101 }, refundPart));
    const { id } = await gateway.refund(refund);
    expect(await gateway.refund({ ...refund, attempt: '2' })).toEqual({ id, state: 'done' });
    expect(sumExecuted(await gateway.findReturns({ transactionId, currency }))).toBe(601_00n);
  });

  it('refuses to refund an unpaid payment', async () => {
    const payment = createPayment();
    await gateway.start(payment);
    const { reference, amount, currency } = payment;
    const refund = createRefund({ transactionId: '1', reference, amount, currency });
    await expect(gateway.refund(refund)).rejects.toEqual(providerFailed);
  });
});

describe('the returned amount at gateway-b', () => {
  afterEach(() => vi.unstubAllGlobals());
  const stubRefunds = (data: object[], page_info?: object) =>
    vi.stubGlobal('fetch', async () => Response.json({ status: 'success', data, meta: { page_info } }));
  const payment = { transactionId: '7', currency: 'USD' } as const;

  it('counts the refunds of the payment, by both names of its id', async () => {
    const refund = { amount_refunded: 1, status: 'completed' };
    stubRefunds([
      { ...refund, transaction_id: 7 },
      { ...refund, tx_id: 7 },
      { ...refund, transaction_id: 8 },
    ]);
    expect(sumExecuted(await gatewayB.findReturns(payment))).toBe(2_00n);
  });

  it('is unknown when the provider returns the first page instead of the second', async () => {
    stubRefunds([], { current_page: 1, total_pages: 2 });
    await expect(gatewayB.findReturns(payment)).rejects.toEqual(providerFailed);
  });
});

describe.each(subjects)('a dispute in the sandbox of %s', (name, { gateway }) => {
  const controlDispute = (reference: string, status: string) =>
    sandbox.control(`payments/${reference}/dispute`, { status });

  it('ends with the webhook that it was lost, and the money goes back', async () => {
    const payment = createPayment();
    const started = { reference: payment.reference, ...(await gateway.start(payment)) };
    await sandbox.control(`payments/${payment.reference}/pay`);
    await controlDispute(payment.reference, 'inquiry');
    await controlDispute(payment.reference, 'lost');
    expect(JSON.parse(sandbox.newestWebhook().body.toString())).toMatchObject(lostDispute[name]);
    const { transactionId = '' } = (await gateway.findPayment(started)) ?? {};
    expect(sumExecuted(await gateway.findReturns({ transactionId, currency: 'USD' }))).toBe(payment.amount);
  });

  it('is refused for an unpaid payment', async () => {
    const payment = createPayment();
    await gateway.start(payment);
    const webhookCount = sandbox.webhooks.length;
    for (const status of ['inquiry', 'lost'])
      await expect(controlDispute(payment.reference, status)).rejects.toThrow(/400 .*not paid/);
    expect(sandbox.webhooks).toHaveLength(webhookCount);
  });
});

const lostDispute: Record<GatewayName, object> = {
  'gateway-a': { event: 'charge.dispute.resolve', data: { resolution: 'merchant-accepted' } },
  'gateway-b': { event: 'chargeback.update', data: { status: 'lost' } },
  'gateway-c': { type: 'charge.dispute.closed', data: { object: { status: 'lost' } } },
};

it('the sandbox sends no webhook for a refund that the provider refuses', async () => {
  const payment = createPayment();
  const refundPath = `payments/${payment.reference}/refund`;
  await gatewayA.start(payment);
  await expect(sandbox.control(refundPath)).rejects.toThrow(/400 .*can’t be refunded/);
  await sandbox.control(`payments/${payment.reference}/pay`);
  await sandbox.control(refundPath, { amount: 1 });
  const webhookCount = sandbox.webhooks.length;
  await expect(sandbox.control(refundPath, { amount: 1_025_00 })).rejects.toThrow(/400 .*can’t be refunded/);
  expect(sandbox.webhooks).toHaveLength(webhookCount);
});

it('a payment at gateway-c is found by the session that its webhook names, but not for another reference', async () => {
  const payment = createPayment();
  await gatewayC.start(payment);
  await sandbox.control(`payments/${payment.reference}/pay`);
  const { body, headers } = sandbox.newestWebhook();
  const signal = await readGatewayCWebhook(body, (header) => headers[header]?.toString());
  const { checkoutSession } = signal as PaymentSignal;
  expect(await gatewayC.findPayment({ reference: payment.reference, checkoutSession })).toEqual(signal);
  const { reference } = createPayment();
  expect(await gatewayC.findPayment({ reference, checkoutSession })).toBeUndefined();
});

describe('the returned amount at gateway-c', () => {
  it.each([
    ['inquiry', 0n],
    ['open', 1_025_00n],
    ['lost', 1_025_00n],
    ['won', 0n],
    ['blocked', 0n],
  ])('counts a dispute with the status %s as %s', async (status, returnedAmount) => {
    const payment = createPayment();
    const started = { reference: payment.reference, ...(await gatewayC.start(payment)) };
    await sandbox.control(`payments/${payment.reference}/pay`);
    const { transactionId = '' } = (await gatewayC.findPayment(started)) ?? {};
    await sandbox.control(`payments/${payment.reference}/dispute`, { status });
    expect(sumExecuted(await gatewayC.findReturns({ transactionId, currency: 'USD' }))).toBe(returnedAmount);
  });
});

/** Runs with changed environment variables. */
async function withEnvironment(variables: Record<string, string>, run: () => Promise<void>): Promise<void> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]]);
  Object.assign(process.env, variables);
  await run().finally(() => Object.assign(process.env, Object.fromEntries(before)));
}
