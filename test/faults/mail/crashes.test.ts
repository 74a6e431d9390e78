import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getItems } from '../../../shared/dynamo/client.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { mailId } from '../../../shared/mail/mail.ts';
import { findMail } from '../../../shared/mail/store.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import type { Call, Fault } from '../../support/fault-proxy.ts';
import { Outbox } from './outbox.ts';

/**
 * A worker is killed between every two steps. MAIL_ORDERS sets the number of orders that are worked on under random
 * kills (npm run mail-kills: 1,000).
 */
const orders = Number(process.env.MAIL_ORDERS ?? 30);

/** Of about six requests an order that change something, so that there are about 40 kills, and fewer for few orders. */
const killChance = Math.min(1 / 10, 40 / (6 * orders));

let outbox: Outbox;
beforeAll(async () => {
  outbox = await Outbox.start();
}, 60_000);
afterAll(() => outbox?.stop());

/** The write that marks a mail as sent. */
const isMark = ({ method, body }: Call) =>
  method === 'UpdateItem' && body.ExpressionAttributeValues?.[':set_status']?.S === 'sent';

/** Kills the worker at one of its requests, before it is executed or after. */
function killAt(step: number, when: 'before' | 'after', seen: (call: Call) => unknown): Fault {
  let steps = 0;
  return async (call, forward) => {
    if (++steps !== step) return forward();
    seen(call);
    if (when === 'after') await forward();
    outbox.kill();
    return 'drop';
  };
}

const ticketMail = ({ id: orderId }: Order) => findMail(mailId({ kind: 'order-paid', orderId }));

/** Lets the minutes pass that leases and due times need, until the order is posted and its mail is marked as sent. */
async function recover(order: Order): Promise<void> {
  for (let round = 0; round < 3; round++) {
    outbox.advance(20);
    await outbox.sweep();
    await outbox.work();
    if ((await ticketMail(order))?.status === 'sent' && (await getOrder(order.id)).isBooked) return;
  }
}

describe('a paid order has its mail', () => {
  it('once, when nothing goes wrong', async () => {
    const order = await outbox.pay();
    await outbox.sweep();
    await outbox.work();
    expect(await outbox.mailsTo(order.customerEmail)).toHaveLength(1);
    expect(await ticketMail(order)).toMatchObject({ status: 'sent' });
  });

  it('after a kill at each step, and twice only when it came between the answer of the mail service and the mark', async () => {
    await outbox.pay();
    await outbox.sweep();
    const calls = await outbox.work();
    const sending = calls.findIndex(({ target }) => target === 'mail');
    expect(calls.slice(sending + 1).map(({ method }) => method)).toEqual(['UpdateItem']);

    const twice = new Set<string>();
    let killed: Call[] = [];
    for (let step = 1; step <= calls.length || killed.length > 0; step++) {
      for (const when of ['before', 'after'] as const) {
        const order = await outbox.pay();
        await outbox.sweep();
        killed = [];
        await outbox.work(
          undefined,
          killAt(step, when, (call) => killed.push(call)),
        );
        await recover(order);
        const isInWindow = killed.some((call) => (when === 'after' ? call.target === 'mail' : isMark(call)));
        const { length } = await outbox.mailsTo(order.customerEmail);
        expect([step, when, length]).toEqual([step, when, isInWindow ? 2 : 1]);
        expect(await ticketMail(order)).toMatchObject({ status: 'sent' });
        expect(await getOrder(order.id)).toMatchObject({ isBooked: true });
        if (length > 1) twice.add(when);
      }
    }
    expect([...twice]).toEqual(['after', 'before']);
  });

  it(`of ${orders} under random kills, none is lost`, { timeout: 3_600_000 }, async () => {
    const paid: Order[] = [];
    for (let made = 0; made < orders; made++) paid.push(await outbox.pay());
    const byAddress = new Map(paid.map((order) => [order.customerEmail, order]));
    /** Sent, and not marked yet. */
    const open = new Set<string>();
    let maySendTwice = 0;
    let kills = 0;
    const fault: Fault = async (call, forward) => {
      const answer = await forward();
      if (call.target === 'mail') open.add(call.body.Destination.ToAddresses[0]);
      if (isMark(call)) open.delete(addressOf(call, byAddress));
      // Between two reads nothing has happened.
      if (/Get|Query/.test(call.method ?? '') || Math.random() > killChance) return answer;
      kills++;
      maySendTwice += open.size;
      open.clear();
      outbox.kill();
      return 'drop';
    };
    let unsent = paid;
    const leftOf = async (from: Order[]) => {
      const items = await getItems(from.map(({ id }) => keys.mail(`order-paid-${id}`)));
      return from.filter((_, index) => items[index]?.status !== 'sent');
    };
    for (let round = 0; unsent.length > 0; round++, unsent = await leftOf(unsent)) {
      expect(round).toBeLessThan(20 * orders);
      outbox.advance(20);
      await outbox.sweep();
      await outbox.work(undefined, fault);
    }
    const mails = await outbox.mails();
    const counts = paid.map(
      ({ customerEmail }) => mails.filter(({ destination }) => destination.to.includes(customerEmail)).length,
    );
    const surplus = counts.reduce((sum, count) => sum + count - 1, 0);
    console.info(`${orders} orders, ${kills} kills: ${surplus} mails twice, ${maySendTwice} in the window`);
    expect(Math.min(...counts)).toBe(1);
    expect(surplus).toBeLessThanOrEqual(maySendTwice);
  });
});

function addressOf({ body }: Call, byAddress: Map<string, Order>): string {
  const id = String(body.Key?.pk?.S ?? '');
  for (const [address, order] of byAddress) if (id.endsWith(order.id)) return address;
  return '';
}
