import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { rpc } from '../../infra/local/services/chain.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { type BuyerWallet, deployTokenAt, openWallet } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  changeEvent,
  initializeOrder as initializeFiatOrder,
  openSale,
  type Person,
  readOrder,
  registerUser,
  requestOrder,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { type Answer, call } from '../support/http.ts';
import { connectToTable, runOps, sharedStack } from '../support/stack.ts';

/** Orders that a wallet pays on the stack's chain. */

const stack = sharedStack();
const polygonUsdc = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';
const polygonUsdt = '0xc2132D05D31c914a87C6611C10748AEb04B58e8F';

let wallet: BuyerWallet;
let buyer: Person;
let organizer: Person;
const openPolSale = () => openSale({ currency: 'POL', price: 0.5, organizer });
const openUsdcSale = () => openSale({ currency: 'USDC', price: 25, organizer });

beforeAll(async () => {
  wallet = await openWallet(stack);
  await deployTokenAt(stack, polygonUsdc, wallet.address, 10_000_000_000n);
  await deployTokenAt(stack, polygonUsdt, wallet.address, 1_000_000_000n);
  [buyer, organizer] = await Promise.all([registerUser(), registerUser({ role: 'ORGANIZER' })]);
});
afterAll(() => wallet.close());

const initializeOrder = (sale: Sale, person: Person = buyer) =>
  requestOrder(sale, person, { quantity: 2, paymentMethod: 'CRYPTO' });

async function createOrder(sale: Promise<Sale>) {
  // Each order has its own buyer, since a buyer may have at most five open crypto orders.
  const owner = await registerUser();
  const { status, body } = await initializeOrder(await sale, owner);
  expect(status).toBe(201);
  return { answer: body, orderId: body.orderId as string, payment: body.payment, owner };
}
type Order = { orderId: string; owner?: Person };

/** Confirms a transaction, again while the node does not answer, as a frontend does. */
const confirm = ({ orderId, owner = buyer }: Order, txHash: unknown, { token }: Person = owner) =>
  eventually('the node answers', async () => {
    const answer = await call('POST', `/api/orders/${orderId}/confirm`, { token, body: { txHash } });
    return answer.status !== 503 && answer;
  });

/** Confirms until the transaction is final, as a frontend does. */
const confirmUntilFinal = (order: Order, txHash: string): Promise<Answer> =>
  eventually('the transaction is final', async () => {
    const answer = await confirm(order, txHash);
    return answer.headers.get('x-error-code') !== 'transaction-not-final' && answer;
  });

const expectError = (answer: Answer, status: number, code: string) => {
  expect(answer).toMatchObject({ status, body: { error: expect.any(String) } });
  expect(answer.headers.get('x-error-code')).toBe(code);
};

const readOwnOrder = ({ orderId, owner = buyer }: Order) => readOrder(owner, orderId);

const sweepUntilPaid = (order: Order) =>
  eventually('the sweep completes the order', async () => {
    await stack.sweep();
    return (await readOwnOrder(order)).paymentStatus === 'COMPLETED';
  });

describe.concurrent('initializing a crypto order', () => {
  it('returns payment instructions for the native coin', async () => {
    const order = await createOrder(openPolSale());
    const { payment, ...answer } = order.answer;
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
    expect((await readOwnOrder(order)).payment).toEqual(payment);
  });

  it('returns payment instructions for a token', async () => {
    const { payment } = await createOrder(openUsdcSale());
    expect(payment).toMatchObject({ token: polygonUsdc, symbol: 'USDC', decimals: 6, amount: '51250000' });
  });

  it('is refused for a currency that the chain does not have, and for a chain without nodes', async () => {
    expectError(
      await initializeOrder(await openSale({ currency: 'USD', organizer })),
      400,
      'currency-not-supported',
    );
    expectError(
      await initializeOrder(await openSale({ currency: 'ETH', organizer })),
      400,
      'currency-not-supported',
    );
    const mainnetSale = await openSale({ currency: 'ETH', organizer });
    const change = { token: organizer.token, body: { chainId: 1 } };
    expect((await call('PUT', `/api/events/${mainnetSale.event.id}`, change)).status).toBe(200);
    expectError(await initializeOrder(mainnetSale), 503, 'crypto-not-configured');
  });
});

describe.concurrent.each([
  ['the native coin', openPolSale],
  ['a token', openUsdcSale],
])('an order paid in %s', (_, openCryptoSale) => {
  it('is completed once its transaction is final, and refuses another transaction afterwards', async () => {
    const order = await createOrder(openCryptoSale());
    const { hash, send } = await wallet.prepare(order.payment);
    const earlyAnswer = await confirm(order, hash);
    await send();
    expectError(earlyAnswer, 409, 'transaction-not-final');
    expect(Number(earlyAnswer.headers.get('retry-after'))).toBeGreaterThan(0);

    const { status, body } = await confirmUntilFinal(order, hash.toUpperCase().replace('0X', '0x'));
    expect({ status, order: body.order }).toMatchObject({
      status: 200,
      order: { id: order.orderId, paymentStatus: 'COMPLETED', paymentTxId: hash, paymentMethod: 'CRYPTO' },
    });
    expect(await confirm(order, hash)).toMatchObject({
      status: 200,
      body: { order: { paymentTxId: hash } },
    });
    expectError(await confirm(order, randomHash()), 409, 'already-paid');
  });

  it('is completed by the sweep without a second confirmation', async () => {
    const order = await createOrder(openCryptoSale());
    const { hash, send } = await wallet.prepare(order.payment);
    expectError(await confirm(order, hash), 409, 'transaction-not-final');
    expect((await readOwnOrder(order)).payment.transactionHash).toBe(hash);
    await send();
    await sweepUntilPaid(order);
  });

  it('is completed by an overpayment', async () => {
    const order = await createOrder(openCryptoSale());
    const overpayment = { amount: String(BigInt(order.payment.amount) + 1n) };
    expect((await confirmUntilFinal(order, await wallet.pay(order.payment, overpayment))).status).toBe(200);
  });

  it('stays PENDING with a note for review after an underpayment', async () => {
    const order = await createOrder(openCryptoSale());
    const partialPayment = { amount: String(BigInt(order.payment.amount) - 1n) };
    expectError(
      await confirmUntilFinal(order, await wallet.pay(order.payment, partialPayment)),
      409,
      'paid-too-little',
    );
    expect(await readOwnOrder(order)).toMatchObject({
      paymentStatus: 'PENDING',
      paymentReview: expect.stringContaining(order.payment.amount),
    });
  });

  it('keeps every payment that carries its reference, shows what exceeds the total, and refunds all', async () => {
    const sale = await openPolSale();
    const order = await createOrder(Promise.resolve(sale));
    const half = await wallet.pay(order.payment, { amount: String(BigInt(order.payment.amount) / 2n) });
    expectError(await confirmUntilFinal(order, half), 409, 'paid-too-little');
    const amount = order.answer.totalAmount;
    const keptHalf = { transactionHash: half, amount: amount / 2 };
    expect(await readOwnOrder(order)).toMatchObject({ paymentStatus: 'PENDING', otherPayments: [keptHalf] });
    expect((await confirmUntilFinal(order, await wallet.pay(order.payment))).status).toBe(200);
    const second = await wallet.pay(order.payment);
    expectError(await confirmUntilFinal(order, second), 409, 'already-paid');
    expectError(await confirmUntilFinal(order, second), 409, 'already-paid');
    const paid = await readOwnOrder(order);
    expect(paid).toMatchObject({ paymentStatus: 'COMPLETED', paidAmount: 2.5 * amount });
    expect(paid.otherPayments).toHaveLength(2);
    expect(paid.otherPayments).toEqual(
      expect.arrayContaining([keptHalf, { transactionHash: second, amount }]),
    );
    expect(paid.paymentReview).toContain(second);
    const { body } = await eventually('the order is posted', async () => {
      const answer = await requestRefund(order.orderId, organizer);
      return answer.status === 200 && answer;
    });
    expect(body.order.refund).toMatchObject({ status: 'manual', amount: 2.5 * amount });
  });

  it('has no excess to refund once an operator returns it', async () => {
    const order = await createOrder(openCryptoSale());
    const { orderId, answer } = order;
    expect((await confirmUntilFinal(order, await wallet.pay(order.payment))).status).toBe(200);
    expectError(await confirmUntilFinal(order, await wallet.pay(order.payment)), 409, 'already-paid');
    const clearReview = (...args: string[]) => runOps(['clear-review', '--order', orderId, ...args]);
    await expect(clearReview()).rejects.toThrow('too much');
    await expect(clearReview('--excess', 'gone')).rejects.toThrow('--excess is return or keep');
    expect((await clearReview('--excess', 'return')).stdout).toContain('Now send');
    const total = answer.totalAmount;
    const ended = await readOwnOrder(order);
    expect(ended).toMatchObject({ paymentReview: null, paidAmount: total });
    const { entries } = (await organizer.get(`/api/events/${ended.eventId}/audit`)).body;
    expect(entries).toContainEqual(expect.objectContaining({ action: 'refund-completed' }));
    const { body } = await eventually('the order is posted', async () => {
      const refund = await requestRefund(orderId, organizer);
      return refund.status === 200 && refund;
    });
    expect(body.order.refund).toMatchObject({ status: 'manual', amount: total });
  });

  it('has an excess that no operator returns once a refund includes it', async () => {
    const order = await createOrder(openCryptoSale());
    const { orderId } = order;
    const paidHash = await wallet.pay(order.payment);
    expect((await confirmUntilFinal(order, paidHash)).status).toBe(200);
    expectError(await confirmUntilFinal(order, await wallet.pay(order.payment)), 409, 'already-paid');
    await eventually('the order is posted', async () => {
      const refund = await organizer.post(`/api/orders/${orderId}/refund`, { seats: [1] });
      return refund.status === 200;
    });
    const clearReview = (...args: string[]) => runOps(['clear-review', '--order', orderId, ...args]);
    await expect(clearReview('--excess', 'return')).rejects.toThrow('a refund includes');
    await clearReview();
    const { body } = await requestRefund(orderId, organizer);
    expect(body.order.refundedAmount).toBe(2 * order.answer.totalAmount);
  });

  it('has each payment after a refund returned by an operator, once', async () => {
    const order = await createOrder(openCryptoSale());
    const { orderId } = order;
    const total = order.answer.totalAmount;
    expect((await confirmUntilFinal(order, await wallet.pay(order.payment))).status).toBe(200);
    await eventually('the order is posted', async () => {
      const refund = await organizer.post(`/api/orders/${orderId}/refund`, { seats: [1] });
      return refund.status === 200;
    });
    const clearReview = (...args: string[]) => runOps(['clear-review', '--order', orderId, ...args]);
    expectError(await confirmUntilFinal(order, await wallet.pay(order.payment)), 409, 'already-paid');
    expect((await clearReview('--excess', 'return')).stdout).toContain(`Now send ${total}`);
    const { body } = await requestRefund(orderId, organizer);
    expect(body.order.refundedAmount).toBe(total);
    expectError(await confirmUntilFinal(order, await wallet.pay(order.payment)), 409, 'already-paid');
    await expect(clearReview('--excess', 'keep')).rejects.toThrow('No refund');
    expect((await clearReview('--excess', 'return')).stdout).toContain(`Now send ${total}`);
    await expect(clearReview('--excess', 'return')).rejects.toThrow('not under review');
    expect(await readOwnOrder(order)).toMatchObject({ paidAmount: total, refundedAmount: total });
  });

  it('keeps no more than a hundred small payments besides its own, and every larger one', async () => {
    const order = await createOrder(openCryptoSale());
    expect((await confirmUntilFinal(order, await wallet.pay(order.payment))).status).toBe(200);
    const otherPayments = Object.fromEntries(
      Array.from({ length: 100 }, () => [`0x${randomBytes(32).toString('hex')}`, 1n]),
    );
    connectToTable();
    await write(update(keys.order(order.orderId), { set: { otherPayments } }));
    const small = await wallet.pay(order.payment, { amount: '1' });
    expectError(await confirmUntilFinal(order, small), 409, 'already-paid');
    const large = await wallet.pay(order.payment);
    expectError(await confirmUntilFinal(order, large), 409, 'already-paid');
    const hashes = Object.keys(
      (await getItem(keys.order(order.orderId)))?.otherPayments as Record<string, unknown>,
    );
    expect(hashes).toHaveLength(101);
    expect(hashes).toContain(large);
  });

  it('is not under review for what an operator has returned before it was paid in full', async () => {
    const order = await createOrder(openCryptoSale());
    const half = String(BigInt(order.payment.amount) / 2n);
    expectError(
      await confirmUntilFinal(order, await wallet.pay(order.payment, { amount: half })),
      409,
      'paid-too-little',
    );
    await runOps(['clear-review', '--order', order.orderId, '--excess', 'return']);
    expect((await confirmUntilFinal(order, await wallet.pay(order.payment))).status).toBe(200);
    expect(await readOwnOrder(order)).toMatchObject({ paymentStatus: 'COMPLETED', paymentReview: null });
  });

  it('is not completed by a transfer to another recipient or without its reference', async () => {
    const [first, second] = await Promise.all([createOrder(openCryptoSale()), createOrder(openCryptoSale())]);
    const hashOfSecond = await wallet.pay(second.payment);
    const hashes = [
      await wallet.pay(first.payment, { to: wallet.address }),
      await wallet.pay(first.payment, { data: '0x' }),
      hashOfSecond,
    ];
    for (const hash of hashes) expectError(await confirmUntilFinal(first, hash), 400, 'transaction-unfit');
    expect((await confirmUntilFinal(second, hashOfSecond)).status).toBe(200);
    expect(await readOwnOrder(first)).toMatchObject({
      paymentStatus: 'PENDING',
      payment: { transactionHash: null },
    });
  });

  it('is not completed by the transaction of another order', async () => {
    const [first, second] = await Promise.all([createOrder(openCryptoSale()), createOrder(openCryptoSale())]);
    const amount = String(2n * BigInt(first.payment.amount));
    const data = first.payment.data + second.payment.data.slice(2);
    const hash = await wallet.pay(first.payment, { amount, data });
    await wallet.waitUntilMined(hash, 4);
    const answers = await Promise.all([confirmUntilFinal(first, hash), confirmUntilFinal(second, hash)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    for (const answer of answers.filter(({ status }) => status === 409))
      expectError(answer, 409, 'transaction-used');
  });

  it('is completed once by concurrent confirmations', async () => {
    const order = await createOrder(openCryptoSale());
    const hash = await wallet.pay(order.payment);
    await wallet.waitUntilMined(hash, 4);
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirmUntilFinal(order, hash)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const notifications = await eventually('the buyer is notified', async () => {
      const { body } = await order.owner.get('/api/notifications?limit=100');
      const orderNotifications = body.notifications.filter(
        ({ orderId }: { orderId: string }) => orderId === order.orderId,
      );
      return orderNotifications.length > 0 && orderNotifications;
    });
    expect(notifications).toMatchObject([{ type: 'SUCCESS' }]);
  });
});

describe.concurrent('an order paid in a token', () => {
  it('is under review after a payment in another coin or through a contract, also once it is paid', async () => {
    const order = await createOrder(openUsdcSale());
    const hash = await wallet.pay(order.payment, { token: null });
    const refusal = await confirmUntilFinal(order, hash);
    expectError(refusal, 400, 'transaction-unfit');
    expect(refusal.body.error).toContain('do not pay again');
    expect(await readOwnOrder(order)).toMatchObject({
      paymentStatus: 'PENDING',
      paymentReview: expect.stringContaining(hash),
    });
    expect((await confirmUntilFinal(order, await wallet.pay(order.payment))).status).toBe(200);
    const later = await wallet.pay(order.payment, { token: null });
    expect((await confirmUntilFinal(order, later)).status).not.toBe(200);
    const paid = await readOwnOrder(order);
    expect(paid).toMatchObject({
      paymentStatus: 'COMPLETED',
      otherPayments: expect.arrayContaining([
        { transactionHash: hash, amount: 0 },
        { transactionHash: later, amount: 0 },
      ]),
    });
    expect(paid.paymentReview).toContain('Look up what was paid to another address');
    for (const each of [hash, later]) expect(paid.paymentReview).toContain(each);
  });

  it('is not completed by another token, by the native coin, or by a failed transfer', async () => {
    const order = await createOrder(openUsdcSale());
    const hashes = [
      await wallet.pay(order.payment, { token: polygonUsdt }),
      await wallet.pay(order.payment, { token: null }),
      await wallet.pay(order.payment, { amount: '1000000000000' }),
    ];
    for (const hash of hashes) expectError(await confirmUntilFinal(order, hash), 400, 'transaction-unfit');
  });
});

describe.concurrent('a confirmation', () => {
  it('is accepted only from the buyer, for a crypto order, with a transaction hash', async () => {
    const order = await createOrder(openPolSale());
    expectError(await confirm(order, randomHash(), organizer), 404, 'order-not-found');
    expectError(await confirm({ orderId: 'c00000000000' }, randomHash()), 404, 'order-not-found');
    for (const hash of ['0x12', 7, null, undefined, `${randomHash()}00`]) {
      expect((await confirm(order, hash)).status).toBe(400);
    }
    const fiat = await initializeFiatOrder(await openSale({ organizer }), buyer, 1);
    expectError(await confirm(fiat, randomHash()), 409, 'not-crypto');
  });

  it('with an unknown transaction hash can be followed by one with another hash', async () => {
    const order = await createOrder(openPolSale());
    expectError(await confirm(order, randomHash()), 409, 'transaction-not-final');
    expect((await confirmUntilFinal(order, await wallet.pay(order.payment))).status).toBe(200);
  });

  it('is limited to twenty transactions, each of which can be confirmed again', async () => {
    const order = await createOrder(openPolSale());
    const hashes = Array.from({ length: 20 }, randomHash);
    for (const hash of hashes) expectError(await confirm(order, hash), 409, 'transaction-not-final');
    const refusal = await confirm(order, randomHash());
    expectError(refusal, 429, 'too-many-attempts');
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const hash of [hashes[0], hashes[19]])
      expectError(await confirm(order, hash), 409, 'transaction-not-final');
  });

  it('of a transaction that no node knows yet does not have to be repeated after an earlier one', async () => {
    const order = await createOrder(openPolSale());
    expectError(await confirm(order, randomHash()), 409, 'transaction-not-final');
    const { hash, send } = await wallet.prepare(order.payment);
    expectError(await confirm(order, hash), 409, 'transaction-not-final');
    await send();
    await sweepUntilPaid(order);
  });

  it('of another transaction does not end the checks of the first one', async () => {
    const order = await createOrder(openPolSale());
    // The nonces of the wallet are used in this sequence.
    const tooLittle = await wallet.prepare(order.payment, { amount: '1' });
    const full = await wallet.prepare(order.payment);
    expectError(await confirm(order, full.hash), 409, 'transaction-not-final');
    await tooLittle.send();
    expectError(await confirm(order, tooLittle.hash), 409, 'transaction-not-final');
    await full.send();
    await sweepUntilPaid(order);
  });

  it('of a transaction that stays out of blocks is checked for three days after the hold', async () => {
    connectToTable();
    const order = await createOrder(openPolSale());
    // It can't be mined, since the transaction before it is never sent.
    const sender = await openWallet(stack);
    onTestFinished(() => sender.close());
    await sender.prepare(order.payment);
    const { hash, send } = await sender.prepare(order.payment);
    await send();
    const moveHold = async (hoursAgo: number) => {
      const expiresAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
      await write(update(keys.order(order.orderId), { set: { expiresAt, dueAt: expiresAt } }));
    };
    const afterSweep = (condition: string, isMet: (stored: Record<string, unknown>) => boolean) =>
      eventually(condition, async () => {
        await stack.sweep();
        const stored = (await getItem(keys.order(order.orderId))) ?? {};
        return isMet(stored) && stored;
      });
    expectError(await confirm(order, hash), 409, 'transaction-not-final');
    await moveHold(71);
    const failed = await afterSweep(
      'the order has failed',
      ({ paymentStatus }) => paymentStatus === 'FAILED',
    );
    expect(failed).toMatchObject({ cryptoTxHash: hash, dueAt: expect.any(String) });
    await moveHold(73);
    const ended = await afterSweep('nobody follows it', ({ cryptoTxHash }) => cryptoTxHash === undefined);
    expect(ended).not.toHaveProperty('dueAt');
  });

  // The hold is moved into the past after the payment, so the times of the blocks are those of the chain.
  it.each([
    ['more than an hour', -1, 'not-on-sale'],
    ['less than an hour', 1, null],
  ])('of a payment that was mined %s after the hold is decided by that time', async (_, seconds, reason) => {
    connectToTable();
    const sale = await openPolSale();
    const order = await createOrder(Promise.resolve(sale));
    const hash = await wallet.pay(order.payment);
    await wallet.waitUntilMined(hash);
    const { blockNumber } = await rpc<{ blockNumber: string }>(
      stack.chainRpcUrl,
      'eth_getTransactionReceipt',
      [hash],
    );
    const { timestamp } = await rpc<{ timestamp: string }>(stack.chainRpcUrl, 'eth_getBlockByNumber', [
      blockNumber,
      false,
    ]);
    const expiresAt = new Date((Number(timestamp) - 3600 + seconds) * 1000).toISOString();
    await write(update(keys.order(order.orderId), { set: { expiresAt, dueAt: expiresAt } }));
    await eventually('the hold has ended', async () => {
      await stack.sweep();
      return (await readOwnOrder(order)).paymentStatus === 'FAILED';
    });
    expect((await changeEvent(sale, { ticketPrice: 5 })).status).toBe(200);
    const { body } = await confirmUntilFinal(order, hash);
    expect(Date.now()).toBeGreaterThan(Date.parse(expiresAt) + 3600_000);
    expect(body.order).toMatchObject({ paymentStatus: 'COMPLETED', fulfilment: { reason } });
  });

  it('completes an order that was cancelled before the payment arrived', async () => {
    const order = await createOrder(openPolSale());
    const { token } = order.owner;
    expect((await call('POST', `/api/orders/${order.orderId}/cancel`, { token })).status).toBe(200);
    const { body } = await confirmUntilFinal(order, await wallet.pay(order.payment));
    expect(body.order).toMatchObject({ paymentStatus: 'COMPLETED', failureReason: null });
  });
});

const randomHash = () => `0x${randomBytes(32).toString('hex')}`;
