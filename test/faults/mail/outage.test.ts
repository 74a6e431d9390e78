import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Order } from '../../../shared/orders/order.ts';
import type { Call, Fault } from '../../support/fault-proxy.ts';
import { World } from './world.ts';

/** An outage of the mail service for ten minutes, while orders are fulfilled. */

const minutes = 10;
let world: World;
beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(() => world?.stop());

/** Reduces requests to what is the same for every order: target, operation and numbers of items. */
const shapeOf = (calls: Call[]) =>
  calls.map(({ target, method, body }) => [target, method, countItems(body)]);
const countItems = ({ TransactItems, RequestItems, Entries }: Call['body']) =>
  [TransactItems?.length, Object.values(RequestItems ?? {}).flat().length, Entries?.length].map(Number);

/** Creates and fulfils a paid order each minute. @returns the orders, and the requests that fulfilled each */
async function fulfilEachMinute(fault?: Fault): Promise<{ orders: Order[]; calls: Call[][] }> {
  const orders: Order[] = [];
  const calls: Call[][] = [];
  for (let minute = 0; minute < minutes; minute++) {
    orders.push(await world.createPaidOrder());
    await world.sweep();
    calls.push(await world.runWorker(['fulfil-orders']));
    await world.runWorker(['send-mail'], fault);
    world.advanceClock(1);
  }
  return { orders, calls };
}

const countMails = async (orders: Order[]) =>
  (await Promise.all(orders.map(({ customerEmail }) => world.readMailsTo(customerEmail)))).map(
    ({ length }) => length,
  );

it('fulfilment makes the same requests during an outage of the mail service, and every mail is sent afterwards', async () => {
  const healthy = await fulfilEachMinute();
  expect(await countMails(healthy.orders)).toEqual(Array(minutes).fill(1));

  const outage = await fulfilEachMinute(async ({ target }, forward) =>
    target === 'mail' ? 'drop' : forward(),
  );
  expect(outage.calls.map(shapeOf)).toEqual(healthy.calls.map(shapeOf));
  expect(await countMails(outage.orders)).toEqual(Array(minutes).fill(0));

  for (let round = 0; round < 3; round++) {
    world.advanceClock(30);
    await world.sweep();
    await world.runWorker(['send-mail']);
  }
  expect(await countMails(outage.orders)).toEqual(Array(minutes).fill(1));
});
