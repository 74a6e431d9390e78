import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailbox } from '../../infra/local/services/aws.ts';
import { dueAttributes, keys } from '../../shared/dynamo/keys.ts';
import { getItems } from '../../shared/dynamo/read.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { sweep } from '../../shared/jobs/sweep/sweep-due.ts';
import { mailId } from '../../shared/messaging/outbox/mail.ts';
import { findMail } from '../../shared/messaging/outbox/store.ts';
import type { Order } from '../../shared/orders/order.ts';
import { getOrder } from '../../shared/orders/store.ts';
import type { Call, Fault } from '../support/fault-proxy.ts';
import type { ReceivedMail } from '../support/mailbox.ts';
import { insertPaidOrders } from '../support/shop.ts';
import { skewClock } from './skew-clock.ts';
import { World } from './world.ts';

/** Kills the worker that fulfils orders and sends their mails, with a real table, queues and mailbox. */

/** The number of orders in the test with random kills: MAIL_ORDERS (npm run nightly -- mail-kills: 1,000). */
const orderCount = Number(process.env.MAIL_ORDERS ?? 15);

/** The chance of a kill at a write. An order takes about six writes, so there are at most about 40 kills. */
const killChance = Math.min(1 / 10, 40 / (6 * orderCount));

const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-mail-'));
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let world: World;
let minutes = 0;

beforeAll(async () => {
  mailbox = await startMailbox(path.join(directory, 'mailbox.log'));
  Object.assign(process.env, {
    MAIL_FROM: 'tickets@boxoffice.test',
    PUBLIC_URL: 'https://tickets.boxoffice.test',
    SHOP_NAME: 'Boxoffice',
    CHECK_IN_SECRET: 'only-for-tests-check-in-0123456789abcdef',
    // Nearly every step starts a process, which would spend most of its time compiling.
    NODE_COMPILE_CACHE: path.join(directory, 'compiled'),
  });
  world = await World.start({ directory, targets: { mail: `${mailbox.url}/v2/email/outbound-emails` } });
}, 60_000);
afterAll(async () => {
  await world?.stop();
  await mailbox?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Advances the clock of this process and of the workers started later. */
function advanceClock(): void {
  minutes += 20;
  skewClock(minutes * 60_000);
}

function throughProxy(queue: string): string {
  const url = world.backend.queueUrls[queue] ?? '';
  return url.replace(new URL(url).origin, world.proxy.url('worker', 'queue'));
}

/** Queues all due work, and runs a worker until its queues are empty or it is killed. @returns its requests */
async function sweepAndRun(fault?: Fault): Promise<Call[]> {
  await sweep(Date.now() + 30_000);
  return world.runWorker('worker', ['fulfil-orders', 'send-mail'], {
    fault,
    environment: {
      CLOCK_SKEW: String(minutes * 60_000),
      AWS_ENDPOINT_URL_SESV2: world.proxy.url('worker', 'mail'),
      AWS_ENDPOINT_URL_SQS: world.proxy.url('worker', 'queue'),
      MINT_TICKETS_QUEUE_URL: throughProxy('mint-tickets'),
      SEND_MAIL_QUEUE_URL: throughProxy('send-mail'),
    },
  });
}

/** Creates a paid order that is not fulfilled yet. Its buyer's e-mail address is unique. */
async function createPaidOrder(): Promise<Order> {
  const { orders, userId } = await insertPaidOrders(1);
  const customerEmail = `${userId}@example.com`;
  const [order] = orders as [Order];
  await write(
    update(keys.order(order.id), { set: { customerEmail, ...dueAttributes(order.id, Date.now()) } }),
  );
  return { ...order, customerEmail };
}

/** Counts the mails that an address has received. */
async function countMails(address: string): Promise<number> {
  const { emails } = (await (await fetch(`${mailbox.url}/store`)).json()) as { emails: ReceivedMail[] };
  return emails.filter(({ destination }) => destination.to.includes(address)).length;
}

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
    world.kill('worker');
    return 'drop';
  };
}

const findOrderMail = ({ id: orderId }: Order) => findMail(mailId({ kind: 'order-paid', orderId }));

/** Advances the clock past leases and due times, until the order is posted and its mail is marked as sent. */
async function recover(order: Order): Promise<void> {
  for (let round = 0; round < 3; round++) {
    advanceClock();
    await sweepAndRun();
    if ((await findOrderMail(order))?.status === 'sent' && (await getOrder(order.id)).isPosted) return;
  }
}

describe('the mail of a paid order', () => {
  it('is sent once without a fault', async () => {
    const order = await createPaidOrder();
    await sweepAndRun();
    expect(await countMails(order.customerEmail)).toBe(1);
    expect(await findOrderMail(order)).toMatchObject({ status: 'sent' });
  });

  it('is sent after a kill at each request, and twice only after a kill between sending and marking it as sent', async () => {
    await createPaidOrder();
    const calls = await sweepAndRun();
    const sendIndex = calls.findIndex(({ target }) => target === 'mail');
    expect(calls.slice(sendIndex + 1).map(({ method }) => method)).toEqual(['UpdateItem']);

    /** The times of kills that led to a second mail: before or after a request. */
    const killTimesWithSecondMail = new Set<string>();
    let killedCalls: Call[] = [];
    for (let number = 1; number <= calls.length || killedCalls.length > 0; number++) {
      for (const when of ['before', 'after'] as const) {
        const order = await createPaidOrder();
        killedCalls = [];
        await sweepAndRun(killAt(number, when, (call) => killedCalls.push(call)));
        await recover(order);
        const isSentTwice = killedCalls.some((call) =>
          when === 'after' ? call.target === 'mail' : isSentMark(call),
        );
        const length = await countMails(order.customerEmail);
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
    for (let index = 0; index < orderCount; index++) orders.push(await createPaidOrder());
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
      world.kill('worker');
      return 'drop';
    };
    let unsent = orders;
    const filterUnsent = async (candidates: Order[]) => {
      const items = await getItems(candidates.map(({ id }) => keys.mail(`order-paid-${id}`)));
      return candidates.filter((_, index) => items[index]?.status !== 'sent');
    };
    for (let round = 0; unsent.length > 0; round++, unsent = await filterUnsent(unsent)) {
      expect(round).toBeLessThan(20 * orderCount);
      advanceClock();
      await sweepAndRun(fault);
    }
    const counts = await Promise.all(orders.map(({ customerEmail }) => countMails(customerEmail)));
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
