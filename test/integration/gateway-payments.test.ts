import { beforeAll, describe, expect, it } from 'vitest';
import { gatewayNames } from '../../shared/payments/gateway.ts';
import { eventually } from '../support/eventually.ts';
import { type Person, registerUser } from '../support/people.ts';
import { deliverWebhook, providers } from '../support/providers.ts';
import {
  availableOf,
  control,
  initializeOrder,
  notificationsOf,
  openSale,
  readOrder,
  type Sale,
} from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';

/** Payments that are declined, late, repeated or of another amount; the journeys cover the usual course. */

let buyer: Person;
let organizer: Person;
beforeAll(async () => {
  [buyer, organizer] = await Promise.all([registerUser(), registerUser({ role: 'ORGANIZER' })]);
});

const sell = (fields: { quantity?: number } = {}) => openSale({ ...fields, organizer });
const pay = (reference: string, body: object = {}) => control(`payments/${reference}/pay`, body);
const decline = (reference: string) => control(`payments/${reference}/decline`);

/** The notifications about an order, once there is one. */
const notificationsAbout = (orderId: string) =>
  eventually('the buyer is notified', async () => {
    const about = (await notificationsOf(buyer)).filter((one) => one.orderId === orderId);
    return about.length > 0 && about;
  });

describe.concurrent.each(gatewayNames)('a payment at %s', (gateway) => {
  const webhooks = providers[gateway];
  const receive = (event: object) => deliverWebhook(gateway, event);

  /** Orders two tickets at 50. */
  const begin = async (sale: Sale) => {
    const { orderId, reference } = await initializeOrder(sale, buyer, 2, gateway);
    const read = () => readOrder(buyer, orderId);
    // On a busy machine only a redelivered webhook may succeed.
    const becomes = (status: string) =>
      eventually(`the order is ${status}`, async () => {
        const current = await read();
        return current.paymentStatus === status && current;
      });
    return { orderId, reference, read, becomes };
  };

  it('that is declined releases the tickets, and a second attempt still completes the order', async () => {
    const sale = await sell();
    const { reference, becomes } = await begin(sale);
    await decline(reference);
    expect(await becomes('FAILED')).toMatchObject({ failureReason: 'payment-failed' });
    expect(await availableOf(sale.event)).toBe(100);

    await pay(reference);
    expect(await becomes('COMPLETED')).toMatchObject({ failureReason: null });
    expect(await availableOf(sale.event)).toBe(98);
  });

  it('that arrives when the tickets are sold completes the order with a refund due', async () => {
    const sale = await sell({ quantity: 3 });
    const late = await begin(sale);
    await decline(late.reference);
    await late.becomes('FAILED');
    const quick = await begin(sale);
    await pay(quick.reference);
    await quick.becomes('COMPLETED');
    await pay(late.reference);
    expect(await late.becomes('COMPLETED')).toMatchObject({
      fulfilment: { status: 'refund-due', reason: 'too-few-left' },
    });
    expect(await availableOf(sale.event)).toBe(1);
  });

  it('completes and notifies once, however often it is reported, and a later failure changes nothing', async () => {
    const sale = await sell();
    const { orderId, read, reference, becomes } = await begin(sale);
    await pay(reference, { repeat: 5 });
    const { paymentTxId } = await becomes('COMPLETED');
    await pay(reference, { repeat: 3 });
    expect(await receive(webhooks.paid(reference, 102.5, 'NGN'))).toMatchObject({ status: 200 });
    expect(await receive(webhooks.failed(reference))).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId });
    expect(await availableOf(sale.event)).toBe(98);
    expect(await notificationsAbout(orderId)).toHaveLength(1);
  });

  it.each([
    ['too little', 102.49, 'NGN', /^Paid 10249, but 10250 /],
    ['too little, in no currency', 102.49, undefined, /^Paid 10249, but 10250 /],
    ['another currency', 102.5, 'USD', /^Paid in USD, but the order is in NGN$/],
    ['an unknown currency', 102.5, 'XXX', /^Paid in XXX/],
    ['nothing', 0, 'NGN', /^Paid 0, but 10250 /],
  ])('of %s holds the order for review until the rest is paid', async (_, amount, currency, review) => {
    const { read, reference, becomes } = await begin(await sell());
    const event = webhooks.paid(reference, amount, currency);
    expect(await receive(event)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await read()).toMatchObject({
      paymentStatus: 'PENDING',
      paymentTxId: null,
      paymentReview: expect.stringMatching(review),
    });

    await pay(reference);
    expect(await becomes('COMPLETED')).toMatchObject({ paymentReview: null });
  });

  it.each([
    ['more than is due', 150, 'NGN'],
    ['an amount that is not reported', undefined, undefined],
    ['a currency in lower case', 102.5, 'ngn'],
  ])('of %s completes the order', async (_, amount, currency) => {
    const { read, reference } = await begin(await sell());
    await receive(webhooks.paid(reference, amount, currency));
    expect(await read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentReview: null });
  });

  it('without a webhook is not looked up before the hold ends', async () => {
    const { read, reference } = await begin(await sell());
    await pay(reference, { webhook: false });
    await sharedStack().sweep();
    expect(await read()).toMatchObject({ paymentStatus: 'PENDING' });
  });

  it('does not count for another reference, nor by an event of another kind', async () => {
    const { read, reference } = await begin(await sell());
    const others = [
      webhooks.paid(`${reference.slice(0, -8)}ZZZZZZZZ`, 102.5, 'NGN'),
      webhooks.paid(reference.toLowerCase(), 102.5, 'NGN'),
      webhooks.unknown(reference),
    ];
    for (const event of others)
      expect(await receive(event)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await read()).toMatchObject({ paymentStatus: 'PENDING', paymentReview: null });
  });
});
