import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  controlSandbox,
  openSale,
  type Person,
  readBalance,
  registerAdmin,
  registerUser,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { call, errorOf, sortedStatuses } from '../support/http.ts';
import { sharedStack } from '../support/stack.ts';

const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Olu Adeyemi' };
const payoutRequest = { amount: 60, currency: 'NGN', gateway: 'gateway-a', destination };

const requestForAccount = (accountNumber: string) => ({
  ...payoutRequest,
  destination: { ...destination, accountNumber },
});

let buyer: Person;
let organizerWithoutSales: Person;
beforeAll(async () => {
  [buyer, organizerWithoutSales] = await Promise.all([registerUser(), registerUser({ role: 'ORGANIZER' })]);
});
// Other tests share the providers, so each test holds or fails only transfers to an account that no other test uses, and
// stops holding them at its end.
afterEach(() => controlSandbox('faults', { holdTransfers: false }));

/** Sells two tickets at 50, so that the organizer's balance is 100 NGN. */
async function sellTwoTickets(): Promise<Sale> {
  const sale = await openSale();
  await buyTickets(sale, buyer, 2);
  return sale;
}

const requestPayout = (organizer: Person, body: object = payoutRequest, headers = {}) =>
  organizer.post('/api/payouts', body, { headers });

async function createPayout(organizer: Person, body: object = payoutRequest): Promise<string> {
  const answer = await requestPayout(organizer, body);
  expect(answer.status).toBe(201);
  return answer.body.payout.id;
}

async function findPayout(organizer: Person, id: string) {
  const { payouts } = (await organizer.get('/api/payouts')).body;
  return payouts.find((payout: { id: string }) => payout.id === id);
}

/** Lists the provider's transfers of a payout, oldest first. */
const listTransfers = async (payoutId: string) =>
  (await controlSandbox('transfers', {}, 'GET'))
    .filter(({ reference }: { reference: string }) => reference.startsWith(payoutId))
    .sort((a: { reference: string }, b: { reference: string }) => (a.reference < b.reference ? -1 : 1));

/** A payout is SENT before its provider is asked, so its status does not tell that the provider has the transfer. */
const waitForTransfer = (payoutId: string) =>
  eventually('the provider has the transfer', async () => (await listTransfers(payoutId)).length > 0);

const waitForStatus = (organizer: Person, id: string, status: string) =>
  eventually(`the payout is ${status}`, async () => {
    const payout = await findPayout(organizer, id);
    return payout.status === status && payout;
  });

describe('GET /api/organizer/balance', () => {
  it('is empty before the first sale, then contains the ticket prices without the fee', async () => {
    const sale = await openSale();
    const answer = await sale.organizer.get('/api/organizer/balance');
    expect(answer).toMatchObject({ status: 200, body: { balances: [] } });
    await buyTickets(sale, buyer, 2);
    expect(await readBalance(sale.organizer)).toEqual({
      currency: 'NGN',
      upcoming: 0,
      available: 100,
      disputed: 0,
      pending: 0,
      paidOut: 0,
    });
  });

  it('names the gateways that pay out, and the currencies of each', async () => {
    const { token } = (await openSale()).organizer;
    const { payoutGateways } = (await call('GET', '/api/organizer/balance', { token })).body;
    expect(payoutGateways).toMatchObject([
      { gateway: 'gateway-a', name: 'Card', currencies: expect.arrayContaining(['NGN', 'GHS']) },
      { gateway: 'gateway-b', name: 'Bank transfer', currencies: expect.arrayContaining(['NGN', 'USD']) },
    ]);
    expect(payoutGateways[0].currencies).not.toContain('USD');
  });

  it('counts an order once after repeated webhooks', async () => {
    const sale = await openSale();
    const { reference } = await buyTickets(sale, buyer, 1);
    await controlSandbox(`payments/${reference}/pay`, { repeat: 20 });
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 50 });
  });
});

describe('POST /api/payouts', () => {
  it.each(['gateway-a', 'gateway-b'])('sends one transfer at %s and updates the balance', async (gateway) => {
    const { organizer } = await sellTwoTickets();
    const answer = await requestPayout(organizer, { ...payoutRequest, gateway });
    expect(answer).toMatchObject({
      status: 201,
      body: { payout: { amount: 60, status: 'PENDING', gateway } },
    });
    const { id } = answer.body.payout;
    await waitForStatus(organizer, id, 'COMPLETED');
    expect(await readBalance(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
    await controlSandbox(`transfers/${id}/succeed`, { repeat: 20 });
    expect(await readBalance(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
    expect(await listTransfers(id)).toMatchObject([{ reference: id, status: 'succeeded' }]);
  });

  it('returns only the last digits of the account number', async () => {
    const { organizer } = await sellTwoTickets();
    const answer = await requestPayout(organizer);
    expect(answer.body.payout.destination).toEqual({ ...destination, accountNumber: '****6789' });
    const list = await organizer.get('/api/payouts');
    expect(JSON.stringify([answer.body, list.body])).not.toContain('0123456789');
  });

  it('goes to the account of an earlier payout of the same organizer at the same gateway', async () => {
    const { organizer } = await sellTwoTickets();
    const first = await createPayout(organizer, { ...payoutRequest, amount: 10 });
    const { destination: _, ...request } = { ...payoutRequest, amount: 20, sameAccountAs: first };
    const again = await createPayout(organizer, request);
    await waitForStatus(organizer, again, 'COMPLETED');
    const [transfer] = await listTransfers(again);
    expect(transfer).toMatchObject({ recipient: 'RCP_058_0123456789' });

    const other = (await sellTwoTickets()).organizer;
    const refusals = await Promise.all([
      requestPayout(other, request),
      requestPayout(organizer, { ...request, sameAccountAs: 'unknown' }),
      requestPayout(organizer, { ...request, gateway: 'gateway-b' }),
      requestPayout(organizer, { ...request, destination }),
      requestPayout(organizer, { amount: 20, currency: 'NGN', gateway: 'gateway-a' }),
    ]);
    expect(refusals.map(errorOf)).toEqual(Array.from({ length: 5 }, () => [400, 'invalid-input']));
    expect(await readBalance(organizer)).toMatchObject({ available: 70 });
  });

  it('refuses more than the available balance, also in concurrent requests', async () => {
    const { organizer } = await sellTwoTickets();
    expect(await requestPayout(organizer, { ...payoutRequest, amount: 100.01 })).toMatchObject({
      status: 409,
      body: { error: 'The amount exceeds your available balance in NGN' },
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => requestPayout(organizer)));
    expect(sortedStatuses(answers)).toEqual([201, 409, 409, 409, 409]);
    expect(
      (await requestPayout(organizer, { ...payoutRequest, currency: 'USD', gateway: 'gateway-b' })).status,
    ).toBe(409);
  });

  it('creates one payout per Idempotency-Key', async () => {
    const { organizer } = await sellTwoTickets();
    const headers = { 'idempotency-key': 'march' };
    const smallRequest = { ...payoutRequest, amount: 10 };
    const [first, second] = [
      await requestPayout(organizer, smallRequest, headers),
      await requestPayout(organizer, smallRequest, headers),
    ];
    expect(second).toMatchObject({ status: 201, body: { payout: { id: first.body.payout.id } } });
    expect((await requestPayout(organizer, payoutRequest, headers)).status).toBe(409);
    const { payouts } = (await organizer.get('/api/payouts')).body;
    expect(payouts).toHaveLength(1);
  });

  it.each([
    ['an amount of 0', { amount: 0 }, 'amount must be more than 0'],
    ['a negative amount', { amount: -5 }, 'amount must be more than 0'],
    ['more decimals than the currency has', { amount: 1.001 }, 'amount has more decimals than NGN allows'],
    ['an unknown currency', { currency: 'XXX' }, /^currency must be one of/],
    ['a gateway without transfers', { gateway: 'gateway-c' }, 'gateway must be one of gateway-a, gateway-b'],
    ['a currency that the gateway does not pay out', { currency: 'USD' }, 'gateway-a does not send USD'],
    ['a missing destination', { destination: undefined }, 'destination is required'],
    [
      'an invalid account number',
      { destination: { ...destination, accountNumber: '../12' } },
      'destination.accountNumber must have 6 to 34 letters and digits',
    ],
  ])('refuses %s with 400', async (_, change, error) => {
    const answer = await requestPayout(organizerWithoutSales, { ...payoutRequest, ...change });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(error);
  });
});

describe('a refund', () => {
  it('after a payout is not the organizer’s to request, and leaves a debt with which no account closes', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 2);
    const id = await createPayout(sale.organizer, { ...payoutRequest, amount: 100 });
    await waitForStatus(sale.organizer, id, 'COMPLETED');
    expect(errorOf(await requestRefund(orderId, sale.organizer))).toEqual([409, 'insufficient-funds']);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 0, paidOut: 100 });

    expect((await requestRefund(orderId, await registerAdmin())).status).toBe(200);
    const closing = await sale.organizer.post(`/api/users/${sale.organizer.user.id}/erasure`);
    expect([closing.status, closing.body.error]).toEqual([409, expect.stringContaining('debt')]);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: -100, pending: 0, paidOut: 100 });
    expect((await requestPayout(sale.organizer, { ...payoutRequest, amount: 1 })).status).toBe(409);
    await buyTickets(sale, buyer, 3);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 50, pending: 0, paidOut: 100 });
  });
});

describe('a transfer', () => {
  it('that fails four times and then succeeds is paid once', async () => {
    const { organizer } = await sellTwoTickets();
    const account = '0000000004';
    await controlSandbox('faults', { failTransfers: 4, account });
    const id = await createPayout(organizer, requestForAccount(account));
    const payout = await waitForStatus(organizer, id, 'COMPLETED');
    expect(payout.attempts).toBe(5);
    // Each attempt has its own reference, since the provider refuses a reference whose transfer failed.
    expect(await listTransfers(id)).toMatchObject([
      { reference: id, status: 'failed' },
      { reference: `${id}-2`, status: 'failed' },
      { reference: `${id}-3`, status: 'failed' },
      { reference: `${id}-4`, status: 'failed' },
      { reference: `${id}-5`, status: 'succeeded', amount: 6000 },
    ]);
    expect(await readBalance(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
  });

  it('that fails five times returns the amount to the balance, and deducts it again after a late success', async () => {
    const { organizer } = await sellTwoTickets();
    const account = '0000000005';
    await controlSandbox('faults', { failTransfers: 5, account });
    const id = await createPayout(organizer, requestForAccount(account));
    await waitForStatus(organizer, id, 'FAILED');
    expect(await readBalance(organizer)).toMatchObject({ available: 100, pending: 0, paidOut: 0 });
    const { notifications } = (await organizer.get('/api/notifications')).body;
    expect(notifications).toMatchObject([{ type: 'WARNING', title: 'Payout failed' }]);

    await controlSandbox(`transfers/${id}-5/fail`, { repeat: 3 });
    expect(await findPayout(organizer, id)).toMatchObject({ status: 'FAILED', attempts: 5 });
    await controlSandbox(`transfers/${id}-5/succeed`, { repeat: 3 });
    await waitForStatus(organizer, id, 'COMPLETED');
    expect(await readBalance(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
  });

  it('that is reported repeatedly and out of order is paid once', async () => {
    const { organizer } = await sellTwoTickets();
    const account = '0000000006';
    await controlSandbox('faults', { holdTransfers: true, account });
    const id = await createPayout(organizer, { ...requestForAccount(account), gateway: 'gateway-b' });
    await waitForTransfer(id);
    await controlSandbox(`transfers/${id}/succeed`, { repeat: 5 });
    await controlSandbox(`transfers/${id}/fail`, { repeat: 5 });
    await controlSandbox(`transfers/${id}/succeed`, { repeat: 5 });
    expect(await waitForStatus(organizer, id, 'COMPLETED')).toMatchObject({ attempts: 1 });
    expect(await readBalance(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
  });

  it('without a webhook is looked up at the provider', async () => {
    const { organizer } = await sellTwoTickets();
    const account = '0000000007';
    await controlSandbox('faults', { holdTransfers: true, account });
    const id = await createPayout(organizer, requestForAccount(account));
    await waitForTransfer(id);
    // The provider executes the transfer, but sends no webhook.
    await controlSandbox(`transfers/${id}/succeed`, { repeat: 0 });
    await waitForStatus(organizer, id, 'COMPLETED');
    expect(await readBalance(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
  });

  it('with an unknown reference is acknowledged with 200', async () => {
    const { GATEWAY_B_SECRET_HASH: hash = 'development-only-gateway-b-hash-J2fLq9UsHd6Ao4Wg' } = process.env;
    const body = {
      event: 'transfer.completed',
      data: { id: 1, reference: 'x'.repeat(3000), status: 'SUCCESSFUL' },
    };
    const answer = await fetch(`${sharedStack().apiUrl}/api/webhooks/gateway-b`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'verif-hash': hash },
      body: JSON.stringify(body),
    });
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  });
});

let organizer: Person;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
});

const listBanks = (query: string) => organizer.get(`/api/banks?${query}`);

describe('GET /api/banks', () => {
  it.each(['gateway-a', 'gateway-b'])(
    'lists all banks of a currency at %s, sorted by name',
    async (gateway) => {
      const { status, body, headers } = await listBanks(`gateway=${gateway}&currency=NGN`);
      expect(status).toBe(200);
      expect(body.banks).toContainEqual({ name: 'Guaranty Trust Bank', code: '058' });
      expect(body.banks.length).toBeGreaterThan(100);
      const names = body.banks.map(({ name }: { name: string }) => name);
      expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
      expect(headers.get('cache-control')).toBe('private, max-age=3600');
    },
  );

  it('lists the banks of the requested country instead of the currency’s own', async () => {
    const { body } = await listBanks('gateway=gateway-b&currency=USD&country=NG');
    expect(body.banks).toContainEqual({ name: 'Zenith Bank', code: '057' });
  });

  it.each([
    ['a gateway without payouts', 'gateway=gateway-c&currency=USD', [404, 'banks-not-found']],
    ['a country without banks', 'gateway=gateway-b&currency=XOF&country=SN', [404, 'banks-not-found']],
    [
      'a currency of several countries without a country',
      'gateway=gateway-b&currency=XOF',
      [400, 'invalid-input'],
    ],
    [
      'a currency that the gateway does not pay out',
      'gateway=gateway-a&currency=USD',
      [400, 'currency-not-supported'],
    ],
    ['an unknown gateway', 'gateway=gateway-z&currency=NGN', [400, 'invalid-input']],
    [
      'a country name instead of a code',
      'gateway=gateway-b&currency=NGN&country=Nigeria',
      [400, 'invalid-input'],
    ],
    ['a missing currency', 'gateway=gateway-a', [400, 'invalid-input']],
  ])('refuses %s', async (_, query, expected) => {
    expect(errorOf(await listBanks(query))).toEqual(expected);
  });
});
