import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getUser } from '../../shared/accounts/users/store.ts';
import { getEvent } from '../../shared/catalog/events/store.ts';
import { DomainError } from '../../shared/core/errors.ts';
import { type OrderContext, postOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import { beginRefund } from '../../shared/orders/refunds/refund-order.ts';
import { getOrder } from '../../shared/orders/store.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { insertPaidOrders } from '../support/shop.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend?.stop());

describe('the sequence of an organizer', () => {
  it('has no gaps after 500 orders at once, with credit notes between them', async () => {
    const sold = await insertPaidOrders(500, { events: 2, hasSeller: true });
    const buyerUser = await getUser(sold.userId);
    const events = new Map(
      await Promise.all(sold.events.map(async ({ id }) => [id, await getEvent(id)] as const)),
    );
    const contexts = sold.orders.map(
      (order): OrderContext => ({
        order,
        event: events.get(order.eventId) as never,
        buyer: buyerUser,
      }),
    );
    const batches = Array.from({ length: 50 }, (_, index) => contexts.slice(10 * index, 10 * index + 10));
    let deliveries = 0;
    let creditNotes = 0;
    /** Posts batches as a worker does: what was not posted is delivered again. */
    const work = async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        expect(++deliveries).toBeLessThan(5_000);
        const posted = new Set((await postOrders(batch)).map(({ order }) => order.id));
        const rest = batch.filter(({ order }) => !posted.has(order.id));
        if (rest.length > 0) batches.push(rest);
        const [first] = posted;
        if (first && (await refundALittle(first))) creditNotes++;
      }
    };
    await Promise.all(Array.from({ length: 20 }, work));

    const orders = await Promise.all(sold.orders.map(({ id }) => getOrder(id)));
    const invoices = orders.map(({ invoice }) => invoice?.number);
    const notes = orders.flatMap(({ refunds = [] }) => refunds.map(({ creditNote }) => creditNote?.number));
    expect(invoices).toHaveLength(500);
    expect(notes).toHaveLength(creditNotes);
    expect(creditNotes).toBeGreaterThan(0);
    const numbers = [...invoices, ...notes].map(Number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 500 + creditNotes }, (_, index) => index + 1));
  });
});

/** Refunds some goodwill. @returns whether it began: under contention the caller has to try again */
async function refundALittle(orderId: string): Promise<boolean> {
  try {
    await beginRefund(await getOrder(orderId), { part: { amount: 100n } });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'busy') return false;
    throw error;
  }
}
