import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { resolveConfiguration } from '../../infra/local/defaults.ts';
import { gatewayNames } from '../../shared/core/schemas.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { eventually } from '../support/eventually.ts';
import {
  cancelOrder,
  changeEvent,
  controlSandbox,
  countAvailable,
  initializeOrder,
  openSale,
  type Person,
  readNotifications,
  readOrder,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { deliverWebhook, providers } from '../support/sandbox.ts';
import { connectToTable, sharedStack } from '../support/stack.ts';

/** Payments that are declined, late, repeated or wrong. test/journeys covers successful ones. */

let buyer: Person;
let organizer: Person;
beforeAll(async () => {
  connectToTable();
  [buyer, organizer] = await Promise.all([registerUser(), registerUser({ role: 'ORGANIZER' })]);
});

const openSaleOfOrganizer = (fields: { quantity?: number } = {}) => openSale({ ...fields, organizer });
const pay = (reference: string, body: object = {}) => controlSandbox(`payments/${reference}/pay`, body);
const decline = (reference: string) => controlSandbox(`payments/${reference}/decline`);

/** Waits for notifications about an order, and returns them. */
const waitForNotifications = (orderId: string) =>
  eventually('the buyer is notified', async () => {
    const orderNotifications = (await readNotifications(buyer)).filter(
      (notification) => notification.orderId === orderId,
    );
    return orderNotifications.length > 0 && orderNotifications;
  });

describe.concurrent('a late payment', () => {
  const saleStart = '2025-12-01T00:00:00.000Z';
  const past = '2026-01-01T00:00:00.000Z';
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const openQueue = (sale: Sale) =>
    changeEvent(sale, { queue: { opensAt: inMinutes(10), drawAt: inMinutes(40) } });
  const raisePrice = ({ event }: Sale) =>
    organizer.put(`/api/events/${event.id}/tiers/${event.tiers[0].id}`, { price: 51 });

  it.each<
    [
      string,
      'cancel' | 'decline' | 'hold of two hours ago',
      (sale: Sale) => Promise<{ status: number }>,
      string | null,
    ]
  >([
    ['its price has risen', 'cancel', raisePrice, 'not-on-sale'],
    ['its sale has ended', 'cancel', (sale) => changeEvent(sale, { saleStart, saleEnd: past }), 'sale-ended'],
    ['its event is a draft', 'cancel', (sale) => changeEvent(sale, { status: 'DRAFT' }), 'not-on-sale'],
    [
      'its event requires a verified identity',
      'cancel',
      (sale) => changeEvent(sale, { requireKYC: true }),
      'kyc-required',
    ],
    ['its event has a queue', 'cancel', openQueue, 'not-on-sale'],
    ['its price has risen', 'decline', raisePrice, null],
    ['its event has a queue', 'decline', openQueue, null],
    ['its sale has ended', 'decline', (sale) => changeEvent(sale, { saleStart, saleEnd: past }), null],
    ['its event is a draft', 'decline', (sale) => changeEvent(sale, { status: 'DRAFT' }), 'not-on-sale'],
    ['its price has risen', 'hold of two hours ago', raisePrice, 'not-on-sale'],
    [
      'nothing has changed',
      'hold of two hours ago',
      ({ event }) => organizer.get(`/api/events/${event.id}`),
      null,
    ],
    [
      'its event is over',
      'decline',
      (sale) => changeEvent(sale, { eventDate: past, endDate: past, saleStart }),
      'sale-ended',
    ],
  ])('when %s, after a %s, is decided as a new order is, or by the event', async (_, end, change, reason) => {
    const sale = await openSaleOfOrganizer();
    const { orderId, reference } = await initializeOrder(sale, buyer, 2, 'gateway-a');
    if (end === 'cancel') await cancelOrder(orderId, buyer);
    else await decline(reference);
    await eventually('the order has ended', async () => {
      return (await readOrder(buyer, orderId)).paymentStatus === 'FAILED';
    });
    if (end === 'hold of two hours ago') {
      const expiresAt = new Date(Date.now() - 2 * 3600_000).toISOString();
      await write(update(keys.order(orderId), { set: { expiresAt } }));
    }
    expect((await change(sale)).status).toBe(200);
    await pay(reference);
    const order = await eventually('the order is paid', async () => {
      const current = await readOrder(buyer, orderId);
      return current.paymentStatus === 'COMPLETED' && current;
    });
    expect(order.fulfilment.reason).toBe(reason);
    // The refund may have been sent already.
    const [{ title, message }] = (await waitForNotifications(orderId)).filter(
      (notification: { title: string }) => notification.title !== 'Refund',
    );
    expect(title).toBe(reason ? 'Payment received too late' : 'Ticket Purchase Successful');
    if (reason) expect(message).toContain(`${order.fulfilment.message}. You will get your money back.`);
  });

  it('of a buyer who has closed the account meanwhile is refunded', async () => {
    const [sale, leaving] = [await openSaleOfOrganizer(), await registerUser()];
    const { orderId, reference } = await initializeOrder(sale, leaving, 1, 'gateway-a');
    const read = async () =>
      (await organizer.get(`/api/events/${sale.event.id}/orders`)).body.orders.find(
        ({ id }: { id: string }) => id === orderId,
      );
    await decline(reference);
    await eventually('the order has failed', async () => (await read()).paymentStatus === 'FAILED');
    expect((await leaving.post(`/api/users/${leaving.user.id}/erasure`)).status).toBe(200);
    await pay(reference);
    const order = await eventually('the order is paid', async () => {
      const current = await read();
      return current.paymentStatus === 'COMPLETED' && current;
    });
    expect(order.fulfilment.reason).toBe('not-on-sale');
    expect(await countAvailable(sale.event)).toBe(100);
  });
});

describe.concurrent.each(gatewayNames)('a payment at %s', (gateway) => {
  const webhooks = providers[gateway];
  const deliver = (event: object) => deliverWebhook(gateway, event);

  /** Orders two tickets at 50. */
  const createOrder = async (sale: Sale) => {
    const { orderId, reference } = await initializeOrder(sale, buyer, 2, gateway);
    const read = () => readOrder(buyer, orderId);
    // On a busy machine the first webhook may fail, and a redelivered one completes the order.
    const waitForStatus = (status: string) =>
      eventually(`the order is ${status}`, async () => {
        const current = await read();
        return current.paymentStatus === status && current;
      });
    return { orderId, reference, read, waitForStatus };
  };

  it.runIf(gateway === 'gateway-c')('that is declined can be tried again while the hold lasts', async () => {
    const sale = await openSaleOfOrganizer();
    const { reference, read, waitForStatus } = await createOrder(sale);
    await decline(reference);
    const order = await eventually('the decline is recorded', async () => {
      const current = await read();
      return current.declinedAt !== null && current;
    });
    expect(order).toMatchObject({ paymentStatus: 'PENDING', failureReason: null });
    expect(await countAvailable(sale.event)).toBe(98);
    await pay(reference);
    expect(await waitForStatus('COMPLETED')).toMatchObject({ failureReason: null });
    expect(await countAvailable(sale.event)).toBe(98);
  });

  it.runIf(gateway !== 'gateway-c')(
    'that is declined releases the tickets, and a second attempt still completes the order',
    async () => {
      const sale = await openSaleOfOrganizer();
      const { reference, waitForStatus } = await createOrder(sale);
      await decline(reference);
      expect(await waitForStatus('FAILED')).toMatchObject({ failureReason: 'payment-failed' });
      expect(await countAvailable(sale.event)).toBe(100);

      await pay(reference);
      expect(await waitForStatus('COMPLETED')).toMatchObject({ failureReason: null });
      expect(await countAvailable(sale.event)).toBe(98);
    },
  );

  it('that arrives after others bought the tickets completes the order with a refund due', async () => {
    const sale = await openSaleOfOrganizer({ quantity: 3 });
    const lateOrder = await createOrder(sale);
    await deliver(webhooks.failed(lateOrder.reference));
    await lateOrder.waitForStatus('FAILED');
    const quickOrder = await createOrder(sale);
    await pay(quickOrder.reference);
    await quickOrder.waitForStatus('COMPLETED');
    await pay(lateOrder.reference);
    expect(await lateOrder.waitForStatus('COMPLETED')).toMatchObject({
      fulfilment: { status: 'refund-due', reason: 'too-few-left' },
    });
    expect(await countAvailable(sale.event)).toBe(1);
  });

  it('that is reported repeatedly completes the order and notifies once, and a later failure changes nothing', async () => {
    const sale = await openSaleOfOrganizer();
    const { orderId, read, reference, waitForStatus } = await createOrder(sale);
    await pay(reference, { repeat: 5 });
    const { paymentTxId } = await waitForStatus('COMPLETED');
    await pay(reference, { repeat: 3 });
    expect(await deliver(webhooks.paid(reference, 102.5, 'NGN'))).toMatchObject({ status: 200 });
    expect(await deliver(webhooks.failed(reference))).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId });
    expect(await countAvailable(sale.event)).toBe(98);
    expect(await waitForNotifications(orderId)).toHaveLength(1);
  });

  it.each([
    ['of too little', 102.49, 'NGN', /^Paid 10249, but 10250 /],
    ['of too little without a currency', 102.49, undefined, /^Paid 10249, but 10250 /],
    ['in another currency', 102.5, 'USD', /^Paid in USD, but the order is in NGN$/],
    ['in an unknown currency', 102.5, 'XXX', /^Paid in XXX/],
    ['of 0', 0, 'NGN', /^Paid 0, but 10250 /],
  ])(
    '%s leaves the order PENDING for review until it is paid in full',
    async (_, amount, currency, review) => {
      const { read, reference, waitForStatus } = await createOrder(await openSaleOfOrganizer());
      const event = webhooks.paid(reference, amount, currency);
      expect(await deliver(event)).toMatchObject({ status: 200, body: { ok: true } });
      expect(await read()).toMatchObject({
        paymentStatus: 'PENDING',
        paymentTxId: null,
        paymentReview: expect.stringMatching(review),
      });

      await pay(reference);
      expect(await waitForStatus('COMPLETED')).toMatchObject({ paymentReview: null });
    },
  );

  it.each([
    ['of more than is due', 150, 'NGN'],
    ['of an unreported amount', undefined, undefined],
    ['with its currency in lower case', 102.5, 'ngn'],
  ])('%s completes the order', async (_, amount, currency) => {
    const { read, reference } = await createOrder(await openSaleOfOrganizer());
    await deliver(webhooks.paid(reference, amount, currency));
    expect(await read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentReview: null });
  });

  it('without a webhook is not looked up before the hold ends', async () => {
    const { read, reference } = await createOrder(await openSaleOfOrganizer());
    await pay(reference, { webhook: false });
    await sharedStack().sweep();
    expect(await read()).toMatchObject({ paymentStatus: 'PENDING' });
  });

  it('is not completed by a webhook with another reference or one that the service ignores', async () => {
    const { read, reference } = await createOrder(await openSaleOfOrganizer());
    const events = [
      webhooks.paid(`${reference.slice(0, -8)}ZZZZZZZZ`, 102.5, 'NGN'),
      webhooks.paid(reference.toLowerCase(), 102.5, 'NGN'),
      webhooks.ignored(reference),
    ];
    for (const event of events)
      expect(await deliver(event)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await read()).toMatchObject({ paymentStatus: 'PENDING', paymentReview: null });
  });
});

/** Webhooks over HTTP, signed by the openssl program instead of the service's code. */

const settings = resolveConfiguration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, process.env);

function hmac(algorithm: 'sha512' | 'sha256', key: string | undefined, input: string | Buffer): string {
  const arguments_ = ['dgst', `-${algorithm}`, '-hmac', key ?? '', '-hex'];
  return execFileSync('openssl', arguments_, { input }).toString().trim().split(' ').at(-1) ?? '';
}

const nowInSeconds = () => Math.floor(Date.now() / 1000);
const signatureHeaders = {
  'gateway-a': (body: Buffer) => ({
    'X-Gateway-A-Signature': hmac('sha512', settings.GATEWAY_A_SECRET, body),
  }),
  'gateway-b': () => ({ 'Verif-Hash': settings.GATEWAY_B_SECRET_HASH ?? '' }),
  'gateway-c': (body: Buffer) => {
    const time = nowInSeconds();
    const signedBytes = Buffer.concat([Buffer.from(`${time}.`), body]);
    return {
      'Stripe-Signature': `t=${time},v1=${hmac('sha256', settings.GATEWAY_C_WEBHOOK_SECRET, signedBytes)}`,
    };
  },
};
type Gateway = keyof typeof signatureHeaders;

/** Bodies that JSON.stringify would write differently: unusual whitespace, repeated keys, escapes and several scripts. */
const unusualBodies: Record<Gateway, (reference: string) => string> = {
  'gateway-a': (reference) =>
    `{\t"data" :{ "note":"Añjali \\u00e9 日本 🎫","id":\n 5,"reference" : "${reference}"}  ,"event":"x", "event":"charge.success"}\r\n\r\n`,
  'gateway-b': (reference) =>
    `\n{ "data":{"status" :"successful",  "tx_ref":"${reference}","note":"日本 🎫", "id":5},"event": "charge.completed" }`,
  'gateway-c': (reference) =>
    `{"type" :"checkout.session.completed" ,\n"note":"日本 🎫","data":{"object":{ "payment_status":"paid","client_reference_id":"${reference}","id":"cs_5" } } } `,
};

describe.concurrent.each(Object.keys(signatureHeaders) as Gateway[])('a webhook of %s', (gateway) => {
  const send = (body: string | Buffer, headers: Record<string, string>) =>
    call('POST', `/api/webhooks/${gateway}`, { body: new Uint8Array(Buffer.from(body)), headers });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/octet-stream'])(
    'completes an order only when its body is the signed bytes, with the content type %s',
    async (type) => {
      const buyer = await registerUser();
      const { orderId, reference } = await initializeOrder(await openSale(), buyer, 1, gateway);
      const body = Buffer.from(unusualBodies[gateway](reference));
      const headers = { ...signatureHeaders[gateway](body), 'content-type': type };
      // gateway-b sends a fixed secret instead of a signature.
      if (gateway !== 'gateway-b') {
        const alteredBody = Buffer.from(body.toString().replace(' ', '\t'));
        const answer = await send(alteredBody, headers);
        expect(answer).toMatchObject({ status: 401, body: { error: 'Invalid signature' } });
        expect(await readOrder(buyer, orderId)).toMatchObject({ paymentStatus: 'PENDING' });
      }
      expect(await send(body, headers)).toMatchObject({ status: 200, body: { ok: true } });
      expect(await readOrder(buyer, orderId)).toMatchObject({ paymentStatus: 'COMPLETED' });
    },
  );

  it(`is ${gateway === 'gateway-c' ? 'refused' : 'acknowledged'} when its signed bytes are not UTF-8`, async () => {
    const body = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]);
    expect(await send(body, signatureHeaders[gateway](body))).toMatchObject(
      // Stripe's package decodes the body as text before it compares the signature.
      gateway === 'gateway-c' ? { status: 401 } : { status: 200, body: { ok: true } },
    );
  });
});
