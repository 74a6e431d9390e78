import { beforeAll, describe, expect, it } from 'vitest';
import type { GatewayName } from '../../shared/payments/gateway.ts';
import { eventually } from './eventually.ts';
import { call } from './http.ts';
import { type Person, registerUser } from './people.ts';
import { deliver, providers } from './providers.ts';
import { control, openSale, order, readOrder, type Sale } from './sales.ts';
import { sharedStack } from './stack.ts';

/** What buyers can do at a gateway, through the public doors: our API, and the provider's. */
export function describeGateway(gateway: GatewayName): void {
  const told = providers[gateway];
  let buyer: Person;
  let organizer: Person;
  beforeAll(async () => {
    [buyer, organizer] = await Promise.all([registerUser(), registerUser({ role: 'ORGANIZER' })]);
  });
  const sell = (fields: { quantity?: number } = {}) => openSale({ ...fields, organizer });
  const begin = async (sale: Sale) => {
    const { orderId, reference } = await order(sale, buyer, 2, gateway);
    const read = () => readOrder(buyer, orderId);
    /** On a busy machine a webhook may only be answered when it is sent again. */
    const becomes = (status: string) =>
      eventually(`The order is ${status}`, async () => {
        const current = await read();
        return current.paymentStatus === status && current;
      });
    return { orderId, reference, read, becomes };
  };
  /** What the buyer is told about an order, once something is. */
  const toldOf = (orderId: string) =>
    eventually('The buyer is told', async () => {
      const { body } = await call('GET', '/api/notifications?limit=100', { token: buyer.token });
      const about = body.notifications.filter((one: { orderId: string }) => one.orderId === orderId);
      return about.length > 0 && about;
    });
  const pay = (reference: string, body: object = {}) => control(`payments/${reference}/pay`, body);
  const tell = (event: object) => deliver(gateway, event);
  const availableOf = async ({ event }: Sale) =>
    (await call('GET', `/api/events/${event.id}`)).body.event.tiers[0].available;

  describe.concurrent(`at ${gateway} a buyer`, () => {
    it('pays on the page they are sent to, and has the tickets', async () => {
      const sale = await sell();
      const { orderId, read, reference, becomes } = await begin(sale);
      const waiting = await read();
      expect(waiting).toMatchObject({
        paymentStatus: 'PENDING',
        gateway,
        gatewayReferences: { [gateway]: reference },
        totalAmount: 102.5,
      });
      expect(reference).toMatch(/^BOX-[A-Z0-9]{6}-\d{13}-[A-Z0-9]{8}$/);

      const page = await fetch(waiting.checkoutUrl);
      expect(await page.text()).toContain('102.50');
      const done = await fetch(`${waiting.checkoutUrl}/pay`, { method: 'POST', redirect: 'manual' });
      expect(done.headers.get('location')).toContain(`/orders/${waiting.id}`);

      expect(await becomes('COMPLETED')).toMatchObject({ paymentTxId: expect.stringMatching(/^\w+$/) });
      expect(await availableOf(sale)).toBe(98);
      expect(await toldOf(orderId)).toMatchObject([{ type: 'SUCCESS', title: 'Ticket Purchase Successful' }]);
    });

    it('is declined, and gives the tickets back; a second card still works', async () => {
      const sale = await sell();
      const { reference, becomes } = await begin(sale);
      await control(`payments/${reference}/decline`);
      expect(await becomes('FAILED')).toMatchObject({ failureReason: 'payment-failed' });
      expect(await availableOf(sale)).toBe(100);

      await pay(reference);
      expect(await becomes('COMPLETED')).toMatchObject({ failureReason: null });
      expect(await availableOf(sale)).toBe(98);
    });

    it('pays after the last ticket went to somebody else, and is due the money back', async () => {
      const sale = await sell({ quantity: 3 });
      const late = await begin(sale);
      await control(`payments/${late.reference}/decline`);
      await late.becomes('FAILED');
      const quick = await begin(sale);
      await pay(quick.reference);
      await quick.becomes('COMPLETED');
      await pay(late.reference);
      expect(await late.becomes('COMPLETED')).toMatchObject({
        fulfilment: { status: 'refund-due', reason: 'too-few-left' },
      });
      expect(await availableOf(sale)).toBe(1);
    });

    it('pays twice, and is told once', async () => {
      const sale = await sell();
      const { orderId, read, reference, becomes } = await begin(sale);
      await pay(reference, { repeat: 5 });
      const { paymentTxId } = await becomes('COMPLETED');
      await pay(reference, { repeat: 3 });
      expect(await tell(told.paid(reference, 102.5, 'NGN'))).toMatchObject({ status: 200 });
      expect(await tell(told.failed(reference))).toMatchObject({ status: 200 });
      expect(await read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId });
      expect(await availableOf(sale)).toBe(98);
      expect(await toldOf(orderId)).toHaveLength(1);
    });

    it.each([
      ['too little', 102.49, 'NGN', /^Paid 10249, but 10250 /],
      ['too little, in no currency', 102.49, undefined, /^Paid 10249, but 10250 /],
      ['in another currency', 102.5, 'USD', /^Paid in USD, but the order is in NGN$/],
      ['in one that nobody knows', 102.5, 'XXX', /^Paid in XXX/],
      ['nothing', 0, 'NGN', /^Paid 0, but 10250 /],
    ])('pays %s, which waits for somebody to look', async (_, amount, currency, review) => {
      const sale = await sell();
      const { read, reference, becomes } = await begin(sale);
      const event = told.paid(reference, amount, currency);
      expect(await tell(event)).toMatchObject({ status: 200, body: { ok: true } });
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
      ['an amount that is not told', undefined, undefined],
      ['in a currency in small letters', 102.5, 'ngn'],
    ])('pays %s, which is enough', async (_, amount, currency) => {
      const { read, reference } = await begin(await sell());
      await tell(told.paid(reference, amount, currency));
      expect(await read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentReview: null });
    });

    it('is not asked after before the hold ends', async () => {
      const { read, reference } = await begin(await sell());
      await pay(reference, { webhook: false });
      await sharedStack().sweep();
      expect(await read()).toMatchObject({ paymentStatus: 'PENDING' });
    });

    it('is left alone by webhooks about others, and of other kinds', async () => {
      const { read, reference } = await begin(await sell());
      const others = [
        told.paid(`${reference.slice(0, -8)}ZZZZZZZZ`, 102.5, 'NGN'),
        told.paid(reference.toLowerCase(), 102.5, 'NGN'),
        told.unknown(reference),
      ];
      for (const event of others)
        expect(await tell(event)).toMatchObject({ status: 200, body: { ok: true } });
      expect(await read()).toMatchObject({ paymentStatus: 'PENDING', paymentReview: null });
    });
  });
}
