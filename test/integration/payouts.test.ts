import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { type Person, registerUser } from '../support/people.ts';
import { balanceOf, buyTickets, control, openSale, type Sale, statuses } from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';

const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Olu Adeyemi' };
const request = { amount: 60, currency: 'NGN', gateway: 'gateway-a', destination };

const to = (accountNumber: string) => ({ ...request, destination: { ...destination, accountNumber } });

let buyer: Person;
let someOrganizer: Person;
beforeAll(async () => {
  [buyer, someOrganizer] = await Promise.all([registerUser(), registerUser({ role: 'ORGANIZER' })]);
});
// Other tests share the providers: transfers fail only to accounts of these tests, and are held only briefly.
afterEach(() => control('faults', { holdTransfers: false }));

/** A sale of two tickets at 50: its organizer's balance is 100 NGN. */
async function soldTwo(): Promise<Sale> {
  const sale = await openSale();
  await buyTickets(sale, buyer, 2);
  return sale;
}

const ask = (organizer: Person, body: object = request, headers = {}) =>
  call('POST', '/api/payouts', { token: organizer.token, body, headers });

async function asked(organizer: Person, body: object = request): Promise<string> {
  const answer = await ask(organizer, body);
  expect(answer.status).toBe(201);
  return answer.body.payout.id;
}

async function payoutOf(organizer: Person, id: string) {
  const { payouts } = (await call('GET', '/api/payouts', { token: organizer.token })).body;
  return payouts.find((payout: { id: string }) => payout.id === id);
}

/** The provider's transfers of a payout, oldest first. */
const transfersOf = async (payoutId: string) =>
  (await control('transfers', {}, 'GET'))
    .filter(({ reference }: { reference: string }) => reference.startsWith(payoutId))
    .sort((a: { reference: string }, b: { reference: string }) => (a.reference < b.reference ? -1 : 1));

const reaches = (organizer: Person, id: string, status: string, seconds = 40) =>
  eventually(
    `the payout is ${status}`,
    async () => {
      const payout = await payoutOf(organizer, id);
      return payout.status === status && payout;
    },
    { seconds },
  );

describe('GET /api/organizer/balance', () => {
  it('is empty before the first sale, then holds the ticket price without the fee', async () => {
    const sale = await openSale();
    const answer = await call('GET', '/api/organizer/balance', { token: sale.organizer.token });
    expect(answer).toMatchObject({ status: 200, body: { balances: [] } });
    await buyTickets(sale, buyer, 2);
    expect(await balanceOf(sale.organizer)).toEqual({
      currency: 'NGN',
      upcoming: 0,
      available: 100,
      pending: 0,
      paidOut: 0,
    });
  });

  it('counts an order once, however often its webhook is delivered', async () => {
    const sale = await openSale();
    const { reference } = await buyTickets(sale, buyer, 1);
    await control(`payments/${reference}/pay`, { repeat: 20 });
    expect(await balanceOf(sale.organizer)).toMatchObject({ available: 50 });
  });

  it('is allowed to organizers only', async () => {
    expect((await call('GET', '/api/organizer/balance', { token: buyer.token })).status).toBe(403);
    expect((await call('GET', '/api/organizer/balance')).status).toBe(401);
  });
});

describe('POST /api/payouts', () => {
  it.each(['gateway-a', 'gateway-b'])('sends the money through %s once', async (gateway) => {
    const { organizer } = await soldTwo();
    const answer = await ask(organizer, { ...request, gateway });
    expect(answer).toMatchObject({
      status: 201,
      body: { payout: { amount: 60, status: 'PENDING', gateway } },
    });
    const { id } = answer.body.payout;
    await reaches(organizer, id, 'COMPLETED');
    expect(await balanceOf(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
    await control(`transfers/${id}/succeed`, { repeat: 20 });
    expect(await balanceOf(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
    expect(await transfersOf(id)).toMatchObject([{ reference: id, status: 'succeeded' }]);
  });

  it('returns only the last digits of the account number', async () => {
    const { organizer } = await soldTwo();
    const answer = await ask(organizer);
    expect(answer.body.payout.destination).toEqual({ ...destination, accountNumber: '****6789' });
    const list = await call('GET', '/api/payouts', { token: organizer.token });
    expect(JSON.stringify([answer.body, list.body])).not.toContain('0123456789');
  });

  it('never pays out more than is available, even if concurrent', async () => {
    const { organizer } = await soldTwo();
    expect(await ask(organizer, { ...request, amount: 100.01 })).toMatchObject({
      status: 409,
      body: { error: 'The amount exceeds your available balance in NGN' },
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(organizer)));
    expect(statuses(answers)).toEqual([201, 409, 409, 409, 409]);
    expect((await ask(organizer, { ...request, currency: 'USD', gateway: 'gateway-b' })).status).toBe(409);
  });

  it('makes one payout for one Idempotency-Key', async () => {
    const { organizer } = await soldTwo();
    const headers = { 'idempotency-key': 'march' };
    const small = { ...request, amount: 10 };
    const [first, second] = [await ask(organizer, small, headers), await ask(organizer, small, headers)];
    expect(second).toMatchObject({ status: 201, body: { payout: { id: first.body.payout.id } } });
    expect((await ask(organizer, request, headers)).status).toBe(409);
    const { payouts } = (await call('GET', '/api/payouts', { token: organizer.token })).body;
    expect(payouts).toHaveLength(1);
  });

  it.each([
    ['an amount of nothing', { amount: 0 }, 'amount must be more than 0'],
    ['less than nothing', { amount: -5 }, 'amount must be more than 0'],
    ['more decimals than the currency has', { amount: 1.001 }, 'amount has more decimals than NGN allows'],
    ['an unknown currency', { currency: 'XXX' }, /^currency must be one of/],
    ['a gateway without transfers', { gateway: 'gateway-c' }, 'gateway must be one of gateway-a, gateway-b'],
    ['a currency the gateway does not send', { currency: 'USD' }, 'gateway-a does not send USD'],
    ['no destination', { destination: undefined }, 'destination is required'],
    [
      'an account number that is none',
      { destination: { ...destination, accountNumber: '../12' } },
      'destination.accountNumber must have 6 to 34 letters and digits',
    ],
  ])('refuses %s', async (_, change, error) => {
    const answer = await ask(someOrganizer, { ...request, ...change });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(error);
  });

  it('refuses buyers', async () => {
    expect((await ask(buyer)).status).toBe(403);
  });
});

describe('a refund', () => {
  it('leaves a negative balance after a payout', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 2);
    const id = await asked(sale.organizer, { ...request, amount: 100 });
    await reaches(sale.organizer, id, 'COMPLETED');
    await call('POST', `/api/orders/${orderId}/refund`, { token: sale.organizer.token });
    expect(await balanceOf(sale.organizer)).toMatchObject({ available: -100, pending: 0, paidOut: 100 });
    expect((await ask(sale.organizer, { ...request, amount: 1 })).status).toBe(409);
    await buyTickets(sale, buyer, 3);
    expect(await balanceOf(sale.organizer)).toMatchObject({ available: 50, pending: 0, paidOut: 100 });
  });
});

describe('a transfer', () => {
  it('that fails four times and then succeeds is paid once', async () => {
    const { organizer } = await soldTwo();
    const account = '0000000004';
    await control('faults', { failTransfers: 4, account });
    const id = await asked(organizer, to(account));
    const payout = await reaches(organizer, id, 'COMPLETED');
    expect(payout.attempts).toBe(5);
    // The provider refuses the reference of a transfer that failed.
    expect(await transfersOf(id)).toMatchObject([
      { reference: id, status: 'failed' },
      { reference: `${id}-2`, status: 'failed' },
      { reference: `${id}-3`, status: 'failed' },
      { reference: `${id}-4`, status: 'failed' },
      { reference: `${id}-5`, status: 'succeeded', amount: 6000 },
    ]);
    expect(await balanceOf(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
  });

  it('that fails five times returns the amount, and deducts it again when it succeeds later', async () => {
    const { organizer } = await soldTwo();
    const account = '0000000005';
    await control('faults', { failTransfers: 5, account });
    const id = await asked(organizer, to(account));
    await reaches(organizer, id, 'FAILED');
    expect(await balanceOf(organizer)).toMatchObject({ available: 100, pending: 0, paidOut: 0 });
    const { notifications } = (await call('GET', '/api/notifications', { token: organizer.token })).body;
    expect(notifications).toMatchObject([{ type: 'WARNING', title: 'Payout failed' }]);

    await control(`transfers/${id}-5/fail`, { repeat: 3 });
    expect(await payoutOf(organizer, id)).toMatchObject({ status: 'FAILED', attempts: 5 });
    await control(`transfers/${id}-5/succeed`, { repeat: 3 });
    expect(await payoutOf(organizer, id)).toMatchObject({ status: 'COMPLETED' });
    expect(await balanceOf(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
  });

  it('that is reported repeatedly and out of order is paid once', async () => {
    const { organizer } = await soldTwo();
    await control('faults', { holdTransfers: true });
    const id = await asked(organizer, { ...request, gateway: 'gateway-b' });
    await reaches(organizer, id, 'SENT');
    await control(`transfers/${id}/succeed`, { repeat: 5 });
    await control(`transfers/${id}/fail`, { repeat: 5 });
    await control(`transfers/${id}/succeed`, { repeat: 5 });
    expect(await payoutOf(organizer, id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(await balanceOf(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
  });

  it('without a webhook is looked up at the provider', async () => {
    const { organizer } = await soldTwo();
    await control('faults', { holdTransfers: true });
    const id = await asked(organizer);
    await reaches(organizer, id, 'SENT');
    // The provider executes the transfer, but sends no webhook.
    await control(`transfers/${id}/succeed`, { repeat: 0 });
    await reaches(organizer, id, 'COMPLETED');
    expect(await balanceOf(organizer)).toMatchObject({ available: 40, pending: 0, paidOut: 60 });
  });

  it('that is unknown is acknowledged', async () => {
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
