import { beforeAll, describe, expect, it } from 'vitest';
import { getCodeWithinRateLimit } from '../../shared/catalog/promo-codes/store.ts';
import { type Key, keys } from '../../shared/dynamo/keys.ts';
import { documentClient } from '../../shared/dynamo/read.ts';
import type { Order } from '../../shared/orders/order.ts';
import { settle } from '../../shared/orders/settlement/settle-order.ts';
import { findOrder } from '../../shared/orders/store.ts';
import { eventually } from '../support/eventually.ts';
import {
  cancelOrder,
  controlSandbox,
  countAvailable,
  createCode,
  freshEmail,
  openSale,
  type Person,
  placeOrder,
  readBalance,
  readCode,
  readOrder,
  registerUser,
  requestOrder,
  requestQuote,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';
import { deliverWebhook, providers } from '../support/sandbox.ts';
import { connectToTable, sharedStack } from '../support/stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: the answers have no types
type Json = any;

let buyer: Person;
let other: Person;
beforeAll(async () => {
  [buyer, other] = await Promise.all([registerUser(), registerUser()]);
});

const changeCode = ({ event, organizer }: Sale, code: string, body: object) =>
  organizer.put(`/api/events/${event.id}/codes/${code}`, body);
const deleteCode = ({ event, organizer }: Sale, code: string) =>
  organizer.delete(`/api/events/${event.id}/codes/${code}`);
const cancelOwnOrder = (orderId: string) => cancelOrder(orderId, buyer);

async function payOrder({ orderId, reference }: Json, caller = buyer): Promise<Json> {
  await controlSandbox(`payments/${reference}/pay`);
  return eventually('the order is posted', async () => {
    const order = await readOrder(caller, orderId);
    return order.fulfilment.status === 'not-needed' && order;
  });
}

const orderWith = (sale: Sale, code: string | undefined, fields: object = {}, caller = buyer) =>
  placeOrder(sale, caller, { code, ...fields });

describe('a discount or access code', () => {
  let validationSale: Sale;
  beforeAll(async () => {
    validationSale = await openSale();
  });

  it('can be created, listed, changed and deleted by the organizer', async () => {
    const sale = await openSale();
    const createdCode = await createCode(sale, {
      code: 'early-Bird',
      kind: 'percent',
      value: 12.5,
      maxUses: 3,
    });
    expect(createdCode).toMatchObject({
      code: 'EARLY-BIRD',
      kind: 'percent',
      value: 12.5,
      tierIds: [],
      maxUses: 3,
      maxPerUser: null,
      budget: null,
      validFrom: null,
      validUntil: null,
      active: true,
      uses: 0,
      givenAway: 0,
      overruns: 0,
    });
    expect(await readCode(sale, 'EARLY-BIRD')).toEqual(createdCode);
    const change = await changeCode(sale, 'Early-bird', { kind: 'amount', value: 5, maxUses: null });
    expect(change.body.code).toMatchObject({ kind: 'amount', value: 5, maxUses: null, uses: null });
    expect((await deleteCode(sale, 'early-bird')).body.code).toMatchObject({
      code: 'EARLY-BIRD',
      active: false,
    });
    expect(await readCode(sale, 'EARLY-BIRD')).toBeUndefined();
    expect(errorOf(await deleteCode(sale, 'early-bird'))).toEqual([404, 'code-unknown']);
    expect(errorOf(await changeCode(sale, 'early-bird', { value: 1 }))).toEqual([404, 'code-unknown']);
  });

  it('is unique within an event, regardless of case, and independent of other events', async () => {
    const [sale, another] = [await openSale(), await openSale()];
    await createCode(sale, { code: 'SUMMER', kind: 'percent', value: 10 });
    const body = { code: 'sUmMeR', kind: 'percent', value: 20 };
    const path = `/api/events/${sale.event.id}/codes`;
    const { token } = sale.organizer;
    expect(errorOf(await call('POST', path, { token, body }))).toEqual([409, 'code-exists']);
    await createCode(another, body);
    expect((await requestQuote(sale, { code: 'summer' })).body.discount).toBe(5);
    expect((await requestQuote(another, { code: 'Summer' })).body.discount).toBe(10);
  });

  it.each([
    ['code', { code: 'a', kind: 'access' }],
    ['code', { code: 'straße', kind: 'access' }],
    ['kind', { code: 'ok', kind: 'gift' }],
    ['value', { code: 'ok', kind: 'percent' }],
    ['value', { code: 'ok', kind: 'percent', value: 0 }],
    ['value', { code: 'ok', kind: 'percent', value: 100.01 }],
    ['value', { code: 'ok', kind: 'percent', value: 1.005 }],
    ['value', { code: 'ok', kind: 'amount', value: -1 }],
    ['value', { code: 'ok', kind: 'amount', value: 0 }],
    ['value', { code: 'ok', kind: 'price', value: 0.001 }],
    ['budget', { code: 'ok', kind: 'amount', value: 1, budget: 0 }],
    ['budget', { code: 'ok', kind: 'amount', value: 1, budget: 0.005 }],
    ['maxUses', { code: 'ok', kind: 'access', maxUses: 0 }],
    ['maxUses', { code: 'ok', kind: 'access', maxUses: 1.5 }],
    ['maxPerUser', { code: 'ok', kind: 'access', maxPerUser: 0 }],
    ['tierIds', { code: 'ok', kind: 'access', tierIds: ['of-another-event'] }],
    [
      'validUntil',
      { code: 'ok', kind: 'access', validFrom: '2030-01-02T00:00:00Z', validUntil: '2030-01-01T00:00:00Z' },
    ],
  ])('is refused with 400 for an invalid %s: %j', async (field, body) => {
    const path = `/api/events/${validationSale.event.id}/codes`;
    const refusal = await validationSale.organizer.post(path, body);
    expect(refusal.status).toBe(400);
    expect(refusal.body.error).toContain(field);
  });

  it('is deactivated instead of deleted once it was used, with or without limits', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'LIMITED', kind: 'percent', value: 10, maxUses: 5 });
    await createCode(sale, { code: 'OPEN', kind: 'percent', value: 10 });
    await orderWith(sale, 'limited');
    await payOrder(await orderWith(sale, 'open'));
    for (const code of ['LIMITED', 'OPEN']) {
      expect((await deleteCode(sale, code)).body.code).toMatchObject({ code, active: false });
      expect(await readCode(sale, code)).toMatchObject({ active: false });
      expect(errorOf(await requestOrder(sale, buyer, { code: code }))).toEqual([409, 'discount-expired']);
    }
  });
});

describe('a changed code', () => {
  it('requires a new value when its kind changes', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'KIND', kind: 'percent', value: 10 });
    const refusal = await changeCode(sale, 'KIND', { kind: 'price' });
    expect([refusal.status, refusal.body.error]).toEqual([400, 'value is required']);
    expect((await changeCode(sale, 'KIND', { kind: 'access' })).body.code.value).toBeNull();
    expect((await changeCode(sale, 'KIND', { kind: 'percent' })).status).toBe(400);
    expect((await changeCode(sale, 'KIND', { value: 5, kind: 'amount' })).body.code.value).toBe(5);
  });

  it('is used up when its limit is below its uses, and existing orders stay valid', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'LESS', kind: 'percent', value: 10, maxUses: 5 });
    const first = await orderWith(sale, 'less');
    await orderWith(sale, 'less');
    await changeCode(sale, 'LESS', { maxUses: 1 });
    expect(errorOf(await requestOrder(sale, buyer, { code: 'less' }))).toEqual([409, 'code-used-up']);
    await cancelOwnOrder(first.orderId);
    expect(errorOf(await requestOrder(sale, buyer, { code: 'less' }))).toEqual([409, 'code-used-up']);
    expect(await readCode(sale, 'LESS')).toMatchObject({ uses: 1, maxUses: 1, overruns: 0 });
  });

  it('keeps its amount when the event changes its currency, or expires if the amount has too many decimals', async () => {
    const sale = await openSale({ currency: 'USD', price: 500 });
    await createCode(sale, { code: 'WHOLE', kind: 'amount', value: 10, budget: 25 });
    await createCode(sale, { code: 'CENTS', kind: 'amount', value: 0.5 });
    const { orderId } = await orderWith(sale, 'whole');
    await cancelOwnOrder(orderId);
    const path = `/api/events/${sale.event.id}`;
    const change = await sale.organizer.put(path, { currency: 'JPY' });
    expect(change.status).toBe(200);
    expect((await requestQuote(sale, { code: 'whole' })).body).toMatchObject({ discount: 10, total: 502 });
    expect(errorOf(await requestQuote(sale, { code: 'cents' }))).toEqual([409, 'discount-expired']);
    await orderWith(sale, 'whole', { gateway: 'gateway-c' });
    expect(await readCode(sale, 'WHOLE')).toMatchObject({ uses: 1, givenAway: 10 });
  });
});

describe('a quote', () => {
  it.each([
    ['percent', { kind: 'percent', value: 10 }, 3, { subtotal: 150, discount: 15, fee: 3.38, total: 138.38 }],
    ['amount', { kind: 'amount', value: 20 }, 3, { subtotal: 150, discount: 20, fee: 3.25, total: 133.25 }],
    ['amount, above the price', { kind: 'amount', value: 500 }, 3, { discount: 150, fee: 0, total: 0 }],
    ['price', { kind: 'price', value: 30 }, 3, { subtotal: 150, discount: 60, fee: 2.25, total: 92.25 }],
    [
      'price, above the tier’s price',
      { kind: 'price', value: 90 },
      1,
      { discount: 0, fee: 1.25, total: 51.25 },
    ],
    ['access', { kind: 'access', value: 10 }, 1, { discount: 0, total: 51.25 }],
  ])('with a code of the kind %s equals the amounts of the order', async (_, fields, quantity, expected) => {
    const sale = await openSale();
    await createCode(sale, { code: 'TRY', ...fields });
    const quote = await requestQuote(sale, { quantity, code: 'try' });
    expect(quote.body).toMatchObject({ ...expected, currency: 'NGN' });
    const { orderId, totalAmount, discount } = await orderWith(sale, 'try', { quantity });
    expect([totalAmount, discount]).toEqual([quote.body.total, quote.body.discount]);
    const { subtotal, fee, code } = await readOrder(buyer, orderId);
    expect({ subtotal, fee, code }).toEqual({ subtotal: 50 * quantity, fee: quote.body.fee, code: 'TRY' });
  });

  it('lists the payment methods for its total, and an order accepts each of them', async () => {
    const sale = await openSale();
    const { paymentMethods } = (await requestQuote(sale, {})).body;
    expect(paymentMethods).toEqual([
      { paymentMethod: 'FIAT', gateway: 'gateway-a', name: 'Card' },
      { paymentMethod: 'FIAT', gateway: 'gateway-b', name: 'Bank transfer' },
      { paymentMethod: 'FIAT', gateway: 'gateway-c', name: 'International card' },
    ]);
    const buyer = await registerUser();
    for (const { paymentMethod, gateway } of paymentMethods) {
      expect((await requestOrder(sale, buyer, { paymentMethod, gateway })).status).toBe(201);
    }
    await createCode(sale, { code: 'GUEST', kind: 'percent', value: 100 });
    expect((await requestQuote(sale, { code: 'GUEST' })).body.paymentMethods).toEqual([]);
    // The gateway accepts KWD amounts in steps of 0.01: 3 tickets at 5 cost 15.375 with the fee.
    const dinars = await openSale({ currency: 'KWD', price: 5 });
    const quote = (await requestQuote(dinars, { quantity: 3 })).body;
    expect(quote).toMatchObject({ subtotal: 15, fee: 0.38, total: 15.38 });
    expect(quote.paymentMethods).toHaveLength(1);
    const { body: order } = await requestOrder(dinars, buyer, { quantity: 3, gateway: 'gateway-c' });
    expect(await payOrder(order, buyer)).toMatchObject({ paymentStatus: 'COMPLETED', totalAmount: 15.38 });
    expect(await readBalance(dinars.organizer, 'KWD')).toMatchObject({ available: 15 });
  });

  it('is refused with the same error as the order', async () => {
    const sale = await openSale();
    const past = '2020-01-01T00:00:00Z';
    await createCode(sale, { code: 'OVER', kind: 'percent', value: 10, validUntil: past });
    await createCode(sale, { code: 'SOON', kind: 'percent', value: 10, validFrom: '2040-01-01T00:00:00Z' });
    await createCode(sale, { code: 'OFF', kind: 'percent', value: 10, active: false });
    await createCode(sale, { code: 'ONE', kind: 'percent', value: 10, maxUses: 1 });
    await createCode(sale, { code: 'POOR', kind: 'percent', value: 10, budget: 4 });
    await createCode(sale, { code: 'MINE', kind: 'percent', value: 10, maxPerUser: 1 });
    const { organizer, event } = sale;
    const path = `/api/events/${event.id}/tiers`;
    const secondTier = await organizer.post(path, { name: 'B', price: 5, quantity: 9 });
    const [tierId, otherTier] = [event.tiers[0].id, secondTier.body.tier.id];
    await createCode(sale, { code: 'ELSE', kind: 'percent', value: 10, tierIds: [otherTier] });
    for (const code of ['one', 'mine']) await orderWith(sale, code);

    const otherSale = await openSale();
    await createCode(otherSale, { code: 'FOREIGN', kind: 'percent', value: 10 });
    const expected: [string, number, string][] = [
      ['nothing', 404, 'code-unknown'],
      ['foreign', 404, 'code-unknown'],
      ['over', 409, 'discount-expired'],
      ['off', 409, 'discount-expired'],
      ['soon', 409, 'discount-not-started'],
      ['one', 409, 'code-used-up'],
      ['poor', 409, 'code-used-up'],
      ['mine', 409, 'code-used-up'],
      ['else', 409, 'code-not-for-tier'],
    ];
    for (const [code, ...expectedError] of expected) {
      expect([code, ...errorOf(await requestQuote(sale, { code, tierId }, buyer))]).toEqual([
        code,
        ...expectedError,
      ]);
      expect([code, ...errorOf(await requestOrder(sale, buyer, { code: code }))]).toEqual([
        code,
        ...expectedError,
      ]);
    }
    // Anonymous and other callers have not used the code yet.
    expect((await requestQuote(sale, { code: 'mine' })).status).toBe(200);
    expect((await requestQuote(sale, { code: 'mine' }, other)).status).toBe(200);
    expect(errorOf(await requestQuote(sale, { tierId: 'none' }))).toEqual([404, 'tier-not-found']);
    expect((await requestQuote(sale, { quantity: 0 })).status).toBe(400);
    // The id of the tier becomes a header of a refusal.
    expect(errorOf(await requestQuote(sale, { tierId: 'a\r\nx-header: b' }))).toEqual([400, 'invalid-input']);
  });
});

describe('the limits of a code', () => {
  it('count an order and its discount until it is cancelled, fails or is refunded', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'TWO', kind: 'percent', value: 10, maxUses: 2 });
    const first = await orderWith(sale, 'two', { quantity: 3 });
    const second = await orderWith(sale, 'two');
    expect(await readCode(sale, 'TWO')).toMatchObject({ uses: 2, givenAway: 20, overruns: 0 });
    expect(errorOf(await requestOrder(sale, buyer, { code: 'two' }))).toEqual([409, 'code-used-up']);

    expect((await cancelOwnOrder(first.orderId)).status).toBe(200);
    expect(await readCode(sale, 'TWO')).toMatchObject({ uses: 1, givenAway: 5 });
    await deliverWebhook('gateway-a', providers['gateway-a'].failed(second.reference));
    expect(await readCode(sale, 'TWO')).toMatchObject({ uses: 0, givenAway: 0 });
    const third = await orderWith(sale, 'two');
    await payOrder(third);
    await requestRefund(third.orderId, sale.organizer);
    expect(await readCode(sale, 'TWO')).toMatchObject({ uses: 0, givenAway: 0 });
    expect(await countAvailable(sale.event)).toBe(100);
  });

  it('refuse an order whose whole discount exceeds the rest of the budget', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'BUDGET', kind: 'amount', value: 30, budget: 50 });
    await orderWith(sale, 'budget');
    expect(errorOf(await requestOrder(sale, other, { code: 'budget' }))).toEqual([409, 'code-used-up']);
    await changeCode(sale, 'BUDGET', { value: 20 });
    await orderWith(sale, 'budget', {}, other);
    expect(await readCode(sale, 'BUDGET')).toMatchObject({ uses: 2, givenAway: 50 });
  });

  it('apply to concurrent orders of one user', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'ONCE', kind: 'percent', value: 10, maxPerUser: 1 });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => requestOrder(sale, buyer, { code: 'once' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    for (const refusal of answers.filter(({ status }) => status === 409)) {
      expect(errorOf(refusal)).toEqual([409, 'code-used-up']);
    }
    await orderWith(sale, 'once', {}, other);
    const { orderId } = answers.find(({ status }) => status === 201)?.body ?? {};
    await cancelOwnOrder(orderId);
    await orderWith(sale, 'once');
  });

  it('are not exceeded by concurrent orders for the last uses and the rest of the budget', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'RACE', kind: 'percent', value: 10, maxUses: 3 });
    await createCode(sale, { code: 'MONEY', kind: 'amount', value: 10, budget: 25 });
    const startOrders = (code: string) =>
      Array.from({ length: 5 }, () => [buyer, other])
        .flat()
        .map((caller) => requestOrder(sale, caller, { code: code }));
    const answers = await Promise.all([...startOrders('race'), ...startOrders('money')]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(await readCode(sale, 'RACE')).toMatchObject({ uses: 3, givenAway: 15 });
    expect(await readCode(sale, 'MONEY')).toMatchObject({ uses: 2, givenAway: 20 });
  });

  it('do not refuse a late payment beyond the limits, which counts as an overrun', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'LAST', kind: 'percent', value: 10, maxUses: 1, maxPerUser: 1 });
    const order = await orderWith(sale, 'last');
    await deliverWebhook('gateway-a', providers['gateway-a'].failed(order.reference));
    await orderWith(sale, 'last', {}, other);
    const paidOrder = await payOrder(order);
    expect(paidOrder).toMatchObject({ paymentStatus: 'COMPLETED', discount: 5, totalAmount: 46.13 });
    expect(await readCode(sale, 'LAST')).toMatchObject({ uses: 2, givenAway: 10, overruns: 1 });
    await requestRefund(order.orderId, sale.organizer);
    expect(await readCode(sale, 'LAST')).toMatchObject({ uses: 1, givenAway: 5, overruns: 0 });
  });

  it('count a late payment within the limits as a use, even when the code is inactive', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'ROOM', kind: 'percent', value: 10, maxUses: 2 });
    const order = await orderWith(sale, 'room');
    await deliverWebhook('gateway-a', providers['gateway-a'].failed(order.reference));
    await deleteCode(sale, 'ROOM');
    expect(await payOrder(order)).toMatchObject({ paymentStatus: 'COMPLETED', discount: 5 });
    expect(await readCode(sale, 'ROOM')).toMatchObject({ uses: 1, overruns: 0, active: false });
  });
});

describe('a late payment of an order that its buyer cancelled', () => {
  it.each<[string, object, (sale: Sale) => Promise<unknown>]>([
    ['used up', { maxUses: 1 }, (sale) => orderWith(sale, 'terms', {}, other)],
    ['used up by the buyer', { maxPerUser: 1 }, (sale) => orderWith(sale, 'terms')],
    ['deleted', {}, (sale) => deleteCode(sale, 'TERMS')],
  ])('is refunded when its code was %s meanwhile', async (_, limits, change) => {
    const sale = await openSale();
    await createCode(sale, { code: 'TERMS', kind: 'percent', value: 10, ...limits });
    const order = await orderWith(sale, 'terms');
    expect((await cancelOrder(order.orderId, buyer)).status).toBe(200);
    await change(sale);
    await controlSandbox(`payments/${order.reference}/pay`);
    await eventually(
      'the refund is due',
      async () => (await readOrder(buyer, order.orderId)).fulfilment.status === 'refund-due',
    );
  });

  it('is refunded when the last use of its code is taken between the read and the write', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'TERMS', kind: 'percent', value: 10, maxUses: 1 });
    const { orderId } = await orderWith(sale, 'terms');
    await cancelOrder(orderId, buyer);
    connectToTable();
    process.env.FULFIL_ORDERS_QUEUE_URL = sharedStack().queueUrls.fulfil;
    const order = await findOrder(orderId);
    const { pk, sk } = keys.code(sale.event.id, 'TERMS');
    let isTaken = false;
    documentClient().middlewareStack.add(
      (next) => async (args) => {
        const answer = await next(args);
        const { Key: read } = args.input as { Key?: Key };
        if (!isTaken && read?.pk === pk && read.sk === sk) {
          isTaken = true;
          await orderWith(sale, 'terms', {}, other);
        }
        return answer;
      },
      { name: 'rival', step: 'initialize' },
    );
    try {
      await settle(order as Order, { kind: 'paid', reference: '', transactionId: '1' });
    } finally {
      documentClient().middlewareStack.remove('rival');
    }
    expect(isTaken).toBe(true);
    expect(await readOrder(buyer, orderId)).toMatchObject({ fulfilment: { status: 'refund-due' } });
    expect(await readCode(sale, 'TERMS')).toMatchObject({ uses: 1, overruns: 0 });
  });
});

describe('an order with a code', () => {
  it('with a total of zero completes without a payment', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'GIFT', kind: 'percent', value: 100, maxUses: 1 });
    const { orderId, checkoutUrl, totalAmount } = await orderWith(sale, 'gift');
    expect([checkoutUrl, totalAmount]).toEqual([undefined, 0]);
    expect(await readOrder(buyer, orderId)).toMatchObject({ paymentStatus: 'COMPLETED', discount: 50 });
  });

  it('does not use the code when the gateway refuses the amount', async () => {
    const sale = await openSale({ currency: 'KWD', price: 1 });
    await createCode(sale, { code: 'SMALL', kind: 'price', value: 0.001, maxUses: 1 });
    expect(errorOf(await requestOrder(sale, buyer, { code: 'small', gateway: 'gateway-a' }))).toEqual([
      400,
      'currency-not-supported',
    ]);
    expect(await readCode(sale, 'SMALL')).toMatchObject({ uses: 0 });
    expect(await countAvailable(sale.event)).toBe(100);
  });

  it('keeps its discount when the code changes', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'EDIT', kind: 'percent', value: 10 });
    const orderBefore = await orderWith(sale, 'edit');
    expect((await requestQuote(sale, { code: 'edit' })).body.discount).toBe(5);
    await changeCode(sale, 'edit', { value: 50 });
    const orderAfter = await orderWith(sale, 'edit');
    expect([orderBefore.discount, orderAfter.discount]).toEqual([5, 25]);
    expect(await payOrder(orderBefore)).toMatchObject({ discount: 5, totalAmount: 46.13 });
  });

  it('keeps its discount when the code is deleted before the payment', async () => {
    const sale = await openSale();
    const { token } = sale.organizer;
    await createCode(sale, { code: 'GONE', kind: 'percent', value: 10 });
    const paidInTime = await orderWith(sale, 'gone');
    const paidLate = await orderWith(sale, 'gone');
    const unpaid = await orderWith(sale, 'gone');
    await deliverWebhook('gateway-a', providers['gateway-a'].failed(paidLate.reference));
    await deleteCode(sale, 'gone');
    expect(await readCode(sale, 'GONE')).toBeUndefined();

    await cancelOwnOrder(unpaid.orderId);
    for (const order of [paidInTime, paidLate]) {
      expect(await payOrder(order)).toMatchObject({ code: 'GONE', discount: 5, totalAmount: 46.13 });
    }
    await call('POST', `/api/orders/${paidInTime.orderId}/refund`, { token });
    expect(await countAvailable(sale.event)).toBe(99);
    const path = `/api/events/${sale.event.id}`;
    const { summary } = (await call('GET', `${path}/summary`, { token })).body;
    expect(summary.codes).toMatchObject([{ code: 'GONE', orders: 1, net: 45, discount: 5 }]);
    const csv = await call('GET', `${path}/orders`, { token, headers: { accept: 'text/csv' } });
    expect(String(csv.body).match(/GONE/g)).toHaveLength(3);
  });

  it('is returned again for the same idempotency key, although it used up the code', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'SAME', kind: 'percent', value: 10, maxUses: 1 });
    const body = {
      eventId: sale.event.id,
      tierId: sale.event.tiers[0].id,
      quantity: 1,
      paymentMethod: 'FIAT',
      code: 'same',
    };
    const send = () =>
      buyer.post('/api/orders/initialize', body, { headers: { 'idempotency-key': `same-${sale.event.id}` } });
    const first = await send();
    expect(first.status).toBe(201);
    expect((await send()).body).toEqual(first.body);
    expect(await readCode(sale, 'SAME')).toMatchObject({ uses: 1 });
  });

  it('credits the organizer with the discounted price; the summary and the CSV show it with the discount', async () => {
    const sale = await openSale();
    const { organizer, event } = sale;
    await createCode(sale, { code: 'TENTH', kind: 'percent', value: 10 });
    await createCode(sale, { code: 'CHEAP', kind: 'price', value: 20, maxUses: 9 });
    const paidOrders = [
      await payOrder(await orderWith(sale, 'tenth', { quantity: 2 })),
      await payOrder(await orderWith(sale, 'cheap', { quantity: 2, gateway: 'gateway-b' })),
      await payOrder(await orderWith(sale, undefined)),
    ];
    const refundedOrder = await payOrder(await orderWith(sale, 'cheap'));
    await requestRefund(refundedOrder.id, organizer);
    expect(await readBalance(organizer)).toMatchObject({ available: 90 + 40 + 50 });

    // The amount that the gateways received and did not refund.
    const receivedAmounts = await Promise.all(
      paidOrders.map(async ({ reference, gateway }) => {
        const { amount } = await controlSandbox(`payments/${reference}`, {}, 'GET');
        return gateway === 'gateway-b' ? amount : amount / 100;
      }),
    );
    const { body } = await organizer.get(`/api/events/${event.id}/summary`);
    const { summary } = body;
    expect(summary.gross).toBe(receivedAmounts.reduce((sum, amount) => sum + amount, 0));
    expect(summary).toMatchObject({ sold: 5, net: 180, discount: 70 });
    expect(summary.codes.sort((a: Json, b: Json) => a.code.localeCompare(b.code))).toEqual([
      { code: 'CHEAP', orders: 1, sold: 2, gross: 41, fee: 1, net: 40, discount: 60 },
      { code: 'TENTH', orders: 1, sold: 2, gross: 92.25, fee: 2.25, net: 90, discount: 10 },
    ]);
    const refund = await eventually('the gateway has refunded the payment', async () => {
      const order = await readOrder(buyer, refundedOrder.id);
      return order.refund?.status === 'done' && order.refund;
    });
    expect(refund.amount).toBe(20.5);

    const csv = await organizer.get(`/api/events/${event.id}/orders`, { headers: { accept: 'text/csv' } });
    const rows = String(csv.body)
      .trim()
      .split('\r\n')
      .map((row) => row.replaceAll('"', '').split(','));
    const columnIndex = (name: string) => rows[0]?.indexOf(name) ?? -1;
    const sumOf = (name: string) =>
      rows
        .slice(1)
        .filter((row) => row[columnIndex('refund')] !== 'done')
        .reduce((sum, row) => sum + Number(row[columnIndex(name)]), 0);
    expect(sumOf('totalAmount')).toBeCloseTo(summary.gross, 6);
    expect(sumOf('ticketAmount')).toBe(summary.net);
    expect(sumOf('discount')).toBe(summary.discount);
  });
});

describe('guessing codes', () => {
  it('is refused with 429 after ten unknown codes of an event, while known codes are not counted', async () => {
    const sale = await openSale();
    await createCode(sale, { code: 'KNOWN', kind: 'percent', value: 10 });
    const guesser = await registerUser();
    for (let time = 0; time < 12; time++) {
      expect((await requestQuote(sale, { code: 'known' }, guesser)).status).toBe(200);
    }
    const guesses = [
      ...Array.from({ length: 4 }, (_, index) => requestQuote(sale, { code: `guess-${index}` }, guesser)),
      ...Array.from({ length: 3 }, (_, index) => requestOrder(sale, guesser, { code: `guess-o${index}` })),
      ...Array.from({ length: 3 }, (_, index) =>
        guesser.get(`/api/events/${sale.event.id}?code=guess-g${index}`),
      ),
    ];
    expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual([
      ...[404, 404, 404, 404, 404, 404, 404],
      ...[200, 200, 200],
    ]);
    for (const code of ['guess', 'known']) {
      expect(errorOf(await requestQuote(sale, { code }, guesser))).toEqual([429, 'too-many-attempts']);
      const refusal = await requestOrder(sale, guesser, { code: code });
      expect(errorOf(refusal)).toEqual([429, 'too-many-attempts']);
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
      const path = `/api/events/${sale.event.id}?code=${code}`;
      expect((await guesser.get(path)).status).toBe(429);
    }
    expect((await requestOrder(sale, guesser)).status).toBe(201);
    expect((await requestQuote(sale, { code: 'known' }, other)).status).toBe(200);
  });

  it('is counted before the code is read, so that guesses at once can’t exceed the limit', async () => {
    connectToTable();
    const key = keys.code('event', 'GUESS');
    const steps: string[] = [];
    documentClient().middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          const { Key: read } = args.input as { Key?: typeof key };
          const step = read?.pk === key.pk && read.sk === key.sk ? 'the code is read' : commandName;
          const answer = await next(args);
          steps.push(step);
          return answer;
        },
      { name: 'steps', step: 'initialize' },
    );
    try {
      const guess = () => getCodeWithinRateLimit('event', 'GUESS', freshEmail());
      await expect(guess()).rejects.toMatchObject({ code: 'code-unknown' });
    } finally {
      documentClient().middlewareStack.remove('steps');
    }
    expect(steps.at(-1)).toBe('the code is read');
    expect(steps.length).toBeGreaterThan(1);
  });
});

describe('a hidden tier', () => {
  async function openSaleWithHiddenTiers() {
    const organizer = await registerUser({ role: 'ORGANIZER' });
    const tiers = [
      { name: 'Open', price: 50, quantity: 10 },
      { name: 'Crew', price: 5, quantity: 10, hidden: true },
      { name: 'Press', price: 8, quantity: 10, hidden: true },
    ];
    const body = {
      title: 'Hidden',
      venue: 'Club',
      startDate: '2035-01-01T20:00:00Z',
      currency: 'NGN',
      tiers,
    };
    const answer = await organizer.post('/api/events', body);
    const sale: Sale = { organizer, event: answer.body.event };
    const [, crew, press] = sale.event.tiers.map(({ id }: Json) => id);
    await createCode(sale, { code: 'CREW', kind: 'access', tierIds: [crew] });
    return { sale, crew, press };
  }
  const readPriceAndTiers = async (sale: Sale, code?: string, token?: string) => {
    const path = `/api/events/${sale.event.id}${code ? `?code=${code}` : ''}`;
    const { body } = await call('GET', path, { ...(token && { token }) });
    return [body.event.ticketPrice, ...body.event.tiers.map(({ name }: Json) => name)];
  };

  it('is shown to the organizer, and with a code for it', async () => {
    const { sale, press } = await openSaleWithHiddenTiers();
    expect(await readPriceAndTiers(sale)).toEqual([50, 'Open']);
    expect(await readPriceAndTiers(sale, undefined, buyer.token)).toEqual([50, 'Open']);
    expect(await readPriceAndTiers(sale, undefined, sale.organizer.token)).toEqual([
      5,
      'Open',
      'Crew',
      'Press',
    ]);
    expect(await readPriceAndTiers(sale, 'crew')).toEqual([5, 'Open', 'Crew']);
    expect(await readPriceAndTiers(sale, 'unknown')).toEqual([50, 'Open']);
    await createCode(sale, { code: 'ALL', kind: 'access' });
    expect(await readPriceAndTiers(sale, 'all')).toEqual([5, 'Open', 'Crew', 'Press']);
    // A discount code shows a hidden tier only if its `tierIds` contain the tier.
    await createCode(sale, { code: 'TEN', kind: 'percent', value: 10 });
    expect(await readPriceAndTiers(sale, 'ten')).toEqual([50, 'Open']);
    await createCode(sale, { code: 'PRESS', kind: 'percent', value: 10, tierIds: [press] });
    expect(await readPriceAndTiers(sale, 'press')).toEqual([8, 'Open', 'Press']);
    await changeCode(sale, 'press', { active: false });
    expect(await readPriceAndTiers(sale, 'press')).toEqual([50, 'Open']);
    const publicEvents = await call('GET', `/api/events?organizerId=${sale.organizer.user.id}`);
    expect(publicEvents.body.events[0].tiers).toHaveLength(1);
    const ownEvents = await sale.organizer.get('/api/events?organizerId=me');
    expect(ownEvents.body.events[0].tiers).toHaveLength(3);
  });

  it('does not show its price when the event has only hidden tiers', async () => {
    const { sale, crew } = await openSaleWithHiddenTiers();
    const path = `/api/events/${sale.event.id}/tiers/${sale.event.tiers[0].id}`;
    const { token } = sale.organizer;
    expect((await call('PUT', path, { token, body: { hidden: true } })).status).toBe(200);
    expect(await readPriceAndTiers(sale)).toEqual([0]);
    expect(await readPriceAndTiers(sale, 'unknown', buyer.token)).toEqual([0]);
    const publicEvents = await call('GET', `/api/events?organizerId=${sale.organizer.user.id}`);
    expect(publicEvents.body.events).toMatchObject([{ ticketPrice: 0, tiers: [] }]);
    expect(errorOf(await requestQuote(sale, { tierId: crew, code: undefined }))[0]).toBe(404);
    expect(await readPriceAndTiers(sale, 'crew')).toEqual([5, 'Crew']);
    expect(await readPriceAndTiers(sale, undefined, token)).toEqual([5, 'Open', 'Crew', 'Press']);
  });

  it('is not found without its code', async () => {
    const { sale, crew, press } = await openSaleWithHiddenTiers();
    await createCode(sale, { code: 'TEN', kind: 'percent', value: 10 });
    const absent = [404, 'tier-not-found'];
    for (const code of [undefined, 'ten']) {
      expect(errorOf(await requestOrder(sale, buyer, { code: code, tierId: crew }))).toEqual(absent);
      expect(errorOf(await requestQuote(sale, { tierId: crew, code }))).toEqual(absent);
    }
    expect(errorOf(await requestOrder(sale, buyer, { code: 'crew', tierId: press }))).toEqual(absent);
    expect(errorOf(await requestOrder(sale, buyer, { code: 'crew' }))).toEqual([409, 'code-not-for-tier']);
    expect((await requestOrder(sale, buyer, { code: 'crew', tierId: crew })).status).toBe(201);
    await changeCode(sale, 'crew', { validUntil: '2020-01-01T00:00:00Z' });
    expect(errorOf(await requestOrder(sale, buyer, { code: 'crew', tierId: crew }))).toEqual([
      409,
      'discount-expired',
    ]);
  });
});

describe('the sale window of a tier', () => {
  const past = '2020-01-01T00:00:00.000Z';
  const future = '2034-01-01T00:00:00.000Z';

  it('applies within the sale window of the event', async () => {
    const sale = await openSale();
    const { event, organizer } = sale;
    const path = `/api/events/${event.id}/tiers/${event.tiers[0].id}`;
    const changeTier = async (body: object) => (await organizer.put(path, body)).body;
    const tryOrder = async () => errorOf(await requestOrder(sale, buyer));
    expect(event.tiers[0]).toMatchObject({ saleStart: event.saleStart, saleEnd: event.saleEnd });

    expect((await changeTier({ saleStart: future })).tier.saleStart).toBe(future);
    expect(await tryOrder()).toEqual([409, 'sale-not-started']);
    await changeTier({ saleStart: past, saleEnd: past });
    expect(await tryOrder()).toEqual([409, 'sale-ended']);
    expect((await changeTier({ saleStart: null, saleEnd: null })).tier).toMatchObject({
      saleStart: event.saleStart,
      saleEnd: event.saleEnd,
    });
    expect(await tryOrder()).toEqual([201, null]);

    // A tier is never on sale outside the sale window of the event.
    await changeTier({ saleEnd: future });
    await organizer.put(`/api/events/${event.id}`, { saleStart: past, saleEnd: past });
    expect(await tryOrder()).toEqual([409, 'sale-ended']);
  });

  it('is refused with 400 when it ends before it starts', async () => {
    const { event, organizer } = await openSale();
    const { token } = organizer;
    const body = { name: 'Late', price: 1, quantity: 1, saleStart: future, saleEnd: past };
    expect((await call('POST', `/api/events/${event.id}/tiers`, { token, body })).status).toBe(400);
    const path = `/api/events/${event.id}/tiers/${event.tiers[0].id}`;
    await call('PUT', path, { token, body: { saleStart: future } });
    const refusal = await call('PUT', path, { token, body: { saleEnd: past } });
    expect(refusal.status).toBe(400);
  });
});
