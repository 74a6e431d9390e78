import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Order } from '../../../shared/orders/order.ts';
import type { Call, Fault } from '../../support/fault-proxy.ts';
import { Outbox } from './outbox.ts';

/** The mail service is down for ten minutes: nothing else notices. */

const minutes = 10;
let outbox: Outbox;
beforeAll(async () => {
  outbox = await Outbox.start();
}, 60_000);
afterAll(() => outbox?.stop());

/** What a worker asked of the table, the queues and others, without what differs from order to order. */
const shapeOf = (calls: Call[]) => calls.map(({ target, method, body }) => [target, method, sizeOf(body)]);
const sizeOf = ({ TransactItems, RequestItems, Entries }: Call['body']) =>
  [TransactItems?.length, Object.values(RequestItems ?? {}).flat().length, Entries?.length].map(Number);

/** Pays an order each minute. @returns the orders, and what fulfilling each took */
async function sell(fault?: Fault): Promise<{ orders: Order[]; calls: Call[][] }> {
  const orders: Order[] = [];
  const calls: Call[][] = [];
  for (let minute = 0; minute < minutes; minute++) {
    orders.push(await outbox.pay());
    await outbox.sweep();
    calls.push(await outbox.work(['fulfil']));
    await outbox.work(['mail'], fault);
    outbox.advance(1);
  }
  return { orders, calls };
}

const received = async (orders: Order[]) =>
  (await Promise.all(orders.map(({ customerEmail }) => outbox.mailsTo(customerEmail)))).map(
    ({ length }) => length,
  );

it('fulfilment asks the same of the table and the queues, and every mail is sent afterwards', async () => {
  const healthy = await sell();
  expect(await received(healthy.orders)).toEqual(Array(minutes).fill(1));

  const down = await sell(async ({ target }, forward) => (target === 'mail' ? 'drop' : forward()));
  expect(down.calls.map(shapeOf)).toEqual(healthy.calls.map(shapeOf));
  expect(await received(down.orders)).toEqual(Array(minutes).fill(0));

  for (let round = 0; round < 3; round++) {
    outbox.advance(30);
    await outbox.sweep();
    await outbox.work(['mail']);
  }
  expect(await received(down.orders)).toEqual(Array(minutes).fill(1));
});
