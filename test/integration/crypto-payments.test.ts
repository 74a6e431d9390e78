import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Answer, call } from '../support/http.ts';
import { type Person, registerUser } from '../support/people.ts';
import { initializeOrder as fiatOrder, openSale, readOrder, type Sale } from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';
import { type BuyerWallet, deployTokenAt, openWallet } from '../support/wallet.ts';

/** Orders paid by a real wallet on a real node: what is refused, and what still counts. */

const stack = sharedStack();
const polygonUsdc = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';
const polygonUsdt = '0xc2132D05D31c914a87C6611C10748AEb04B58e8F';

let wallet: BuyerWallet;
let buyer: Person;
let organizer: Person;
const inPol = () => openSale({ currency: 'POL', price: 0.5, organizer });
const inUsdc = () => openSale({ currency: 'USDC', price: 25, organizer });

beforeAll(async () => {
  wallet = await openWallet(stack);
  await deployTokenAt(stack, polygonUsdc, wallet.address, 1_000_000_000n);
  await deployTokenAt(stack, polygonUsdt, wallet.address, 1_000_000_000n);
  [buyer, organizer] = await Promise.all([registerUser(), registerUser({ role: 'ORGANIZER' })]);
});
afterAll(() => wallet.close());

const initialize = ({ event }: Sale, { token }: Person = buyer) =>
  call('POST', '/api/orders/initialize', {
    token,
    body: { eventId: event.id, tierId: event.tiers[0].id, quantity: 2, paymentMethod: 'CRYPTO' },
  });

async function order(sale: Promise<Sale>) {
  // Of a buyer of its own, since one may have five open.
  const owner = await registerUser();
  const { status, body } = await initialize(await sale, owner);
  expect(status).toBe(201);
  return { answer: body, orderId: body.orderId as string, payment: body.payment, owner };
}
type Order = { orderId: string; owner?: Person };

const confirm = ({ orderId, owner = buyer }: Order, txHash: unknown, { token }: Person = owner) =>
  call('POST', `/api/orders/${orderId}/confirm`, { token, body: { txHash } });

/** Confirms until the transaction is final, as a frontend does. */
const confirmed = (order: Order, txHash: string): Promise<Answer> =>
  eventually('the transaction is final', async () => {
    const answer = await confirm(order, txHash);
    return answer.headers.get('x-error-code') !== 'transaction-not-final' && answer;
  });

const refused = (status: number, code: string) => (answer: Answer) => {
  expect(answer).toMatchObject({ status, body: { error: expect.any(String) } });
  expect(answer.headers.get('x-error-code')).toBe(code);
};

const read = ({ orderId, owner = buyer }: Order) => readOrder(owner, orderId);

describe.concurrent('the answer to initialization', () => {
  it('instructs the wallet to pay in the native coin', async () => {
    const ordered = await order(inPol());
    const { payment, ...answer } = ordered.answer;
    expect(answer).toMatchObject({ totalAmount: 1.025, currency: 'POL', paymentStatus: 'PENDING' });
    expect(answer).not.toHaveProperty('checkoutUrl');
    expect(payment).toEqual({
      chainId: 137,
      to: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      token: null,
      symbol: 'POL',
      decimals: 18,
      amount: '1025000000000000000',
      data: `0x${Buffer.from(answer.reference).toString('hex')}`,
      expiresAt: answer.expiresAt,
      transactionHash: null,
    });
    expect((await read(ordered)).payment).toEqual(payment);
  });

  it('instructs the wallet to pay in a token', async () => {
    const { payment } = await order(inUsdc());
    expect(payment).toMatchObject({ token: polygonUsdc, symbol: 'USDC', decimals: 6, amount: '51250000' });
  });

  it('refuses currencies that the chain does not have, and chains that are not configured', async () => {
    refused(400, 'currency-not-supported')(await initialize(await openSale({ currency: 'USD', organizer })));
    refused(400, 'currency-not-supported')(await initialize(await openSale({ currency: 'ETH', organizer })));
    const elsewhere = await openSale({ currency: 'ETH', organizer });
    const change = { token: organizer.token, body: { chainId: 1 } };
    expect((await call('PUT', `/api/events/${elsewhere.event.id}`, change)).status).toBe(200);
    refused(503, 'crypto-not-configured')(await initialize(elsewhere));
  });
});

describe.concurrent.each([
  ['the native coin', inPol],
  ['a token', inUsdc],
])('an order paid in %s', (_, sale) => {
  it('is completed by its transaction once that is final, and by no other', async () => {
    const ordered = await order(sale());
    const { hash, send } = await wallet.prepare(ordered.payment);
    const early = await confirm(ordered, hash);
    await send();
    refused(409, 'transaction-not-final')(early);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);

    const { status, body } = await confirmed(ordered, hash.toUpperCase().replace('0X', '0x'));
    expect({ status, order: body.order }).toMatchObject({
      status: 200,
      order: { id: ordered.orderId, paymentStatus: 'COMPLETED', paymentTxId: hash, paymentMethod: 'CRYPTO' },
    });
    expect(await confirm(ordered, hash)).toMatchObject({
      status: 200,
      body: { order: { paymentTxId: hash } },
    });
    refused(409, 'already-paid')(await confirm(ordered, anyHash()));
  });

  it('is completed by the sweep without a second confirmation', async () => {
    const ordered = await order(sale());
    const { hash, send } = await wallet.prepare(ordered.payment);
    refused(409, 'transaction-not-final')(await confirm(ordered, hash));
    expect((await read(ordered)).payment.transactionHash).toBe(hash);
    await send();
    await eventually('the sweep completes it', async () => {
      await stack.sweep();
      return (await read(ordered)).paymentStatus === 'COMPLETED';
    });
  });

  it('is completed by an overpayment', async () => {
    const ordered = await order(sale());
    const more = { amount: String(BigInt(ordered.payment.amount) + 1n) };
    expect((await confirmed(ordered, await wallet.pay(ordered.payment, more))).status).toBe(200);
  });

  it('stays PENDING for review when too little is paid', async () => {
    const ordered = await order(sale());
    const less = { amount: String(BigInt(ordered.payment.amount) - 1n) };
    refused(409, 'paid-too-little')(await confirmed(ordered, await wallet.pay(ordered.payment, less)));
    expect(await read(ordered)).toMatchObject({
      paymentStatus: 'PENDING',
      paymentReview: expect.stringContaining(ordered.payment.amount),
    });
  });

  it('is not paid by a transfer to another recipient or without its reference', async () => {
    const [first, second] = await Promise.all([order(sale()), order(sale())]);
    const hashOfSecond = await wallet.pay(second.payment);
    const hashes = [
      await wallet.pay(first.payment, { to: wallet.address }),
      await wallet.pay(first.payment, { data: '0x' }),
      hashOfSecond,
    ];
    for (const hash of hashes) refused(400, 'transaction-unfit')(await confirmed(first, hash));
    expect((await confirmed(second, hashOfSecond)).status).toBe(200);
    expect(await read(first)).toMatchObject({ paymentStatus: 'PENDING' });
  });

  it('does not share its transaction with another order', async () => {
    const [first, second] = await Promise.all([order(sale()), order(sale())]);
    const amount = String(2n * BigInt(first.payment.amount));
    const data = first.payment.data + second.payment.data.slice(2);
    const hash = await wallet.pay(first.payment, { amount, data });
    await wallet.waitUntilMined(hash, 4);
    const answers = await Promise.all([confirmed(first, hash), confirmed(second, hash)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    for (const answer of answers.filter(({ status }) => status === 409))
      refused(409, 'transaction-used')(answer);
  });

  it('is paid once by many concurrent confirmations', async () => {
    const ordered = await order(sale());
    const hash = await wallet.pay(ordered.payment);
    await wallet.waitUntilMined(hash, 4);
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirmed(ordered, hash)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const notifications = await eventually('the buyer is notified', async () => {
      const { body } = await call('GET', '/api/notifications?limit=100', { token: ordered.owner.token });
      const about = body.notifications.filter((one: Order) => one.orderId === ordered.orderId);
      return about.length > 0 && about;
    });
    expect(notifications).toMatchObject([{ type: 'SUCCESS' }]);
  });
});

describe.concurrent('a token order', () => {
  it('is not paid by another token, by the native coin, or by a failed transfer', async () => {
    const ordered = await order(inUsdc());
    const hashes = [
      await wallet.pay(ordered.payment, { token: polygonUsdt }),
      await wallet.pay(ordered.payment, { token: null }),
      await wallet.pay(ordered.payment, { amount: '1000000000000' }),
    ];
    for (const hash of hashes) refused(400, 'transaction-unfit')(await confirmed(ordered, hash));
  });
});

describe.concurrent('a confirmation', () => {
  it('is accepted only from the buyer, for a crypto order, with a transaction hash', async () => {
    const ordered = await order(inPol());
    refused(404, 'order-not-found')(await confirm(ordered, anyHash(), organizer));
    refused(404, 'order-not-found')(await confirm({ orderId: 'c00000000000' }, anyHash()));
    for (const hash of ['0x12', 7, null, undefined, `${anyHash()}00`]) {
      expect((await confirm(ordered, hash)).status).toBe(400);
    }
    const fiat = await fiatOrder(await openSale({ organizer }), buyer, 1);
    refused(409, 'not-crypto')(await confirm(fiat, anyHash()));
  });

  it('of an unknown transaction can be replaced by another', async () => {
    const ordered = await order(inPol());
    refused(409, 'transaction-not-final')(await confirm(ordered, anyHash()));
    expect((await confirmed(ordered, await wallet.pay(ordered.payment))).status).toBe(200);
  });

  it('completes an order that was cancelled before the payment arrived', async () => {
    const ordered = await order(inPol());
    const { token } = ordered.owner;
    expect((await call('POST', `/api/orders/${ordered.orderId}/cancel`, { token })).status).toBe(200);
    const { body } = await confirmed(ordered, await wallet.pay(ordered.payment));
    expect(body.order).toMatchObject({ paymentStatus: 'COMPLETED', failureReason: null });
  });
});

const anyHash = () => `0x${randomBytes(32).toString('hex')}`;
