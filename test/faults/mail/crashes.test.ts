import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../../shared/dynamo/keys.ts';
import { getItems } from '../../../shared/dynamo/read.ts';
import { mailId } from '../../../shared/messaging/outbox/mail.ts';
import { findMail } from '../../../shared/messaging/outbox/store.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import type { Call, Fault } from '../../support/fault-proxy.ts';
import { World } from './world.ts';

/** The number of orders in the test with random kills: MAIL_ORDERS (npm run nightly -- mail-kills: 1,000). */
const orderCount = Number(process.env.MAIL_ORDERS ?? 30);

/** The chance of a kill at a write. An order takes about six writes, so there are at most about 40 kills. */
const killChance = Math.min(1 / 10, 40 / (6 * orderCount));

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(() => world?.stop());

/** Returns whether a call marks a mail as sent. */
const isSentMark = ({ method, body }: Call) =>
  method === 'UpdateItem' && body.ExpressionAttributeValues?.[':set_status']?.S === 'sent';

/** Kills the worker before or after one of its requests is executed. @param number of the request, from 1 */
function killAt(number: number, when: 'before' | 'after', onKill: (call: Call) => unknown): Fault {
  let requests = 0;
  return async (call, forward) => {
    if (++requests !== number) return forward();
    onKill(call);
    if (when === 'after') await forward();
    world.killWorker();
    return 'drop';
  };
}

const findOrderMail = ({ id: orderId }: Order) => findMail(mailId({ kind: 'order-paid', orderId }));

/** Advances the clock past leases and due times, until the order is posted and its mail is marked as sent. */
async function recover(order: Order): Promise<void> {
  for (let round = 0; round < 3; round++) {
    world.advanceClock(20);
    await world.sweep();
    await world.runWorker();
    if ((await findOrderMail(order))?.status === 'sent' && (await getOrder(order.id)).isPosted) return;
  }
}

describe('the mail of a paid order', () => {
  it('is sent once without a fault', async () => {
    const order = await world.createPaidOrder();
    await world.sweep();
    await world.runWorker();
    expect(await world.readMailsTo(order.customerEmail)).toHaveLength(1);
    expect(await findOrderMail(order)).toMatchObject({ status: 'sent' });
  });

  it('is sent after a kill at each request, and twice only after a kill between sending and marking it as sent', async () => {
    await world.createPaidOrder();
    await world.sweep();
    const calls = await world.runWorker();
    const sendIndex = calls.findIndex(({ target }) => target === 'mail');
    expect(calls.slice(sendIndex + 1).map(({ method }) => method)).toEqual(['UpdateItem']);

    /** The times of kills that led to a second mail: before or after a request. */
    const killTimesWithSecondMail = new Set<string>();
    let killedCalls: Call[] = [];
    for (let number = 1; number <= calls.length || killedCalls.length > 0; number++) {
      for (const when of ['before', 'after'] as const) {
        const order = await world.createPaidOrder();
        await world.sweep();
        killedCalls = [];
        await world.runWorker(
          undefined,
          killAt(number, when, (call) => killedCalls.push(call)),
        );
        await recover(order);
        const isSentTwice = killedCalls.some((call) =>
          when === 'after' ? call.target === 'mail' : isSentMark(call),
        );
        const { length } = await world.readMailsTo(order.customerEmail);
        expect([number, when, length]).toEqual([number, when, isSentTwice ? 2 : 1]);
        expect(await findOrderMail(order)).toMatchObject({ status: 'sent' });
        expect(await getOrder(order.id)).toMatchObject({ isPosted: true });
        if (length > 1) killTimesWithSecondMail.add(when);
      }
    }
    expect([...killTimesWithSecondMail]).toEqual(['after', 'before']);
  });

  it(`is sent for each of ${orderCount} orders under random kills`, { timeout: 3_600_000 }, async () => {
    const orders: Order[] = [];
    for (let index = 0; index < orderCount; index++) orders.push(await world.createPaidOrder());
    const ordersByAddress = new Map(orders.map((order) => [order.customerEmail, order]));
    /** The addresses of mails that are sent and not marked yet. */
    const unmarked = new Set<string>();
    let possibleDuplicates = 0;
    let kills = 0;
    const fault: Fault = async (call, forward) => {
      const answer = await forward();
      if (call.target === 'mail') unmarked.add(call.body.Destination.ToAddresses[0]);
      if (isSentMark(call)) unmarked.delete(addressOf(call, ordersByAddress));
      // A kill after a read tests nothing new.
      if (/Get|Query/.test(call.method ?? '') || Math.random() > killChance) return answer;
      kills++;
      possibleDuplicates += unmarked.size;
      unmarked.clear();
      world.killWorker();
      return 'drop';
    };
    let unsent = orders;
    const filterUnsent = async (candidates: Order[]) => {
      const items = await getItems(candidates.map(({ id }) => keys.mail(`order-paid-${id}`)));
      return candidates.filter((_, index) => items[index]?.status !== 'sent');
    };
    for (let round = 0; unsent.length > 0; round++, unsent = await filterUnsent(unsent)) {
      expect(round).toBeLessThan(20 * orderCount);
      world.advanceClock(20);
      await world.sweep();
      await world.runWorker(undefined, fault);
    }
    const mails = await world.readMails();
    const counts = orders.map(
      ({ customerEmail }) => mails.filter(({ destination }) => destination.to.includes(customerEmail)).length,
    );
    const duplicates = counts.reduce((sum, count) => sum + count - 1, 0);
    console.info(
      `${orderCount} orders, ${kills} kills: ${duplicates} of ${possibleDuplicates} possible duplicate mails`,
    );
    expect(Math.min(...counts)).toBe(1);
    expect(duplicates).toBeLessThanOrEqual(possibleDuplicates);
  });
});

/** Returns the address of a mail that a call marks as sent. */
function addressOf({ body }: Call, ordersByAddress: Map<string, Order>): string {
  const id = String(body.Key?.pk?.S ?? '');
  for (const [address, order] of ordersByAddress) if (id.endsWith(order.id)) return address;
  return '';
}
