import { Wallet } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import { openWallet, readLocks, readOwners, sendToken } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  cancelOrder,
  changeEvent,
  checkIn,
  controlSandbox,
  countAvailable,
  initializeOrder,
  openSale,
  type Person,
  placeOrder,
  readBalance,
  readOrder,
  registerAdmin,
  registerUser,
  requestRefund,
  waitForRefund,
} from '../support/fixtures.ts';
import { sortedStatuses } from '../support/http.ts';
import { runOps, sharedStack } from '../support/stack.ts';

let buyer: Person;
let admin: Person;
beforeAll(async () => {
  [buyer, admin] = await Promise.all([registerUser(), registerAdmin()]);
});

const listRefunds = async (reference: string) =>
  (await controlSandbox(`payments/${reference}`, {}, 'GET')).refunds;

async function countNotifications(orderId: string, title: string): Promise<number> {
  const { notifications } = (await buyer.get('/api/notifications?limit=100')).body;
  return notifications.filter(
    (notification: { orderId: string; title: string }) =>
      notification.orderId === orderId && notification.title === title,
  ).length;
}

/** Reads the owner of a token; undefined once it is burned. */
const findOwner = (tokenId: string) =>
  readOwners([{ contractAddress: sharedStack().ticketContract, tokenId }]).then(
    ([owner]) => owner,
    () => undefined,
  );

// Also verifies the deployed bundles, from which the build removes modules of Stripe's package.
describe('a payment that the provider returned', () => {
  it.each(['gateway-a', 'gateway-b', 'gateway-c'])(
    'is recorded as a refund of the order at %s',
    async (gateway) => {
      const sale = await openSale();
      const { orderId, reference } = await buyTickets(sale, buyer, 2, gateway);
      const { deliveries } = await controlSandbox(`payments/${reference}/refund`);
      expect(deliveries).toMatchObject([{ status: 200 }]);
      expect(await waitForRefund(buyer, orderId)).toMatchObject({ fulfilment: { status: 'refund-due' } });
    },
  );

  it('is recorded as a refund of the order after a lost dispute', async () => {
    const { orderId, reference } = await buyTickets(await openSale(), buyer, 2, 'gateway-c');
    const { deliveries } = await controlSandbox(`payments/${reference}/dispute`, { status: 'lost' });
    expect(deliveries).toMatchObject([{ status: 200 }]);
    await waitForRefund(buyer, orderId);
  });
});

describe('POST /api/orders/{id}/refund', () => {
  it.each([
    ['gateway-a', 10250],
    ['gateway-b', 102.5],
    ['gateway-c', 10250],
  ])(
    'refunds the whole payment at %s, releases the tickets and reverses the credit',
    async (gateway, amount) => {
      const sale = await openSale();
      const { orderId, reference } = await buyTickets(sale, buyer, 2, gateway);
      expect(await countAvailable(sale.event)).toBe(98);
      const answer = await requestRefund(orderId, sale.organizer);
      expect(answer).toMatchObject({
        status: 200,
        body: { order: { paymentStatus: 'COMPLETED', refund: { amount: 102.5 } } },
      });
      const order = await waitForRefund(buyer, orderId);
      expect(order).toMatchObject({ paymentStatus: 'COMPLETED', fulfilment: { status: 'refund-due' } });
      expect(await listRefunds(reference)).toMatchObject([{ amount }]);
      expect(await countAvailable(sale.event)).toBe(100);
      expect(await readBalance(sale.organizer)).toMatchObject({ available: 0, pending: 0, paidOut: 0 });
      expect(await countNotifications(orderId, 'Refund')).toBe(1);
    },
  );

  it('is refused after a check-in, but cancelling the event still refunds the order', async () => {
    const sale = await openSale();
    const { orderId, reference } = await buyTickets(sale, buyer, 2);
    const [first, second] = (await readOrder(buyer, orderId)).admissions;
    expect((await checkIn(first.checkInCode, sale.organizer)).status).toBe(200);
    for (const caller of [sale.organizer, admin]) {
      const answer = await requestRefund(orderId, caller);
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([409, 'admitted']);
    }
    expect((await checkIn(second.checkInCode, sale.organizer)).status).toBe(200);
    await changeEvent(sale, { status: 'CANCELLED' });
    await eventually('the refund begins', async () => {
      await sharedStack().sweep();
      return (await readOrder(buyer, orderId)).refund;
    });
    await waitForRefund(buyer, orderId);
    expect(await listRefunds(reference)).toHaveLength(1);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 0 });
  });

  it('never succeeds together with a concurrent check-in', async () => {
    const sale = await openSale();
    for (let round = 0; round < 5; round++) {
      const { orderId } = await buyTickets(sale, buyer, 1);
      const [{ checkInCode }] = (await readOrder(buyer, orderId)).admissions;
      const answers = await Promise.all([
        requestRefund(orderId, sale.organizer),
        checkIn(checkInCode, sale.organizer),
        checkIn(checkInCode, sale.organizer),
      ]);
      expect(sortedStatuses(answers)).toEqual([200, 409, 409]);
    }
  });

  it('refunds once for 20 concurrent requests and a later one', async () => {
    const sale = await openSale();
    await buyTickets(sale, buyer, 1);
    const { orderId, reference } = await buyTickets(sale, buyer, 2);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => requestRefund(orderId, index % 2 ? admin : sale.organizer)),
    );
    expect(sortedStatuses(answers)).toEqual(Array(20).fill(200));
    await waitForRefund(buyer, orderId);
    expect((await requestRefund(orderId, sale.organizer)).body.order.refund.status).toBe('done');
    await sharedStack().sweep();
    expect(await listRefunds(reference)).toHaveLength(1);
    expect(await countAvailable(sale.event)).toBe(99);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 50 });
    expect(await countNotifications(orderId, 'Refund')).toBe(1);
  });

  it('no longer counts the tickets toward the buyer’s limits', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 10);
    await expect(initializeOrder(sale, buyer, 1)).rejects.toThrow('at most 10 tickets');
    await requestRefund(orderId, sale.organizer);
    await initializeOrder(sale, buyer, 10);
  });

  it('cancels free tickets', async () => {
    const sale = await openSale({ price: 0 });
    const { orderId } = await initializeOrder(sale, buyer, 2);
    const answer = await eventually('the order is posted', async () => {
      const attempt = await requestRefund(orderId, sale.organizer);
      return attempt.status === 200 && attempt;
    });
    expect(answer.body.order.refund).toMatchObject({ status: 'done', amount: 0 });
    expect(await countAvailable(sale.event)).toBe(100);
    expect(await countNotifications(orderId, 'Tickets cancelled')).toBe(1);
  });

  it('refuses an unpaid order', async () => {
    const sale = await openSale();
    const { orderId } = await initializeOrder(sale, buyer, 1);
    expect(await requestRefund(orderId, sale.organizer)).toMatchObject({
      status: 409,
      body: { error: 'Only a paid order can be refunded' },
    });
  });
});

describe('minted tickets of a refunded order', () => {
  it('are burned, except those that the buyer has transferred', async () => {
    const wallet = Wallet.createRandom();
    const holder = await registerUser({ walletAddress: wallet.address });
    const sale = await openSale({ hasContract: true, entry: 'account' });
    const { orderId } = await buyTickets(sale, holder, 3);
    const ticketsOf = async () => (await holder.get(`/api/tickets?orderId=${orderId}`)).body.tickets;
    const ticketsBefore = await eventually('the tickets are minted', async () => {
      return (await readOrder(holder, orderId)).fulfilment.status === 'minted' && ticketsOf();
    });
    expect(ticketsBefore.map(({ burnedAt }: { burnedAt: string | null }) => burnedAt)).toEqual([
      null,
      null,
      null,
    ]);
    const friend = Wallet.createRandom().address;
    const [transferredId, ...keptIds] = ticketsBefore.map(({ tokenId }: { tokenId: string }) => tokenId);
    await sendToken(wallet, friend, {
      contractAddress: sharedStack().ticketContract,
      tokenId: transferredId,
    });

    expect((await requestRefund(orderId, sale.organizer)).status).toBe(200);
    await waitForRefund(holder, orderId);
    await sharedStack().sweep();
    const ticketsAfter = await eventually('the tickets are burned', async () => {
      const tickets = await ticketsOf();
      const burnedTickets = tickets.filter((ticket: { burnedAt: string | null }) => ticket.burnedAt);
      return burnedTickets.length >= keptIds.length && tickets;
    });
    for (const { tokenId, burnedAt } of ticketsAfter)
      expect(burnedAt !== null).toBe(tokenId !== transferredId);
    expect(await findOwner(transferredId)).toBe(friend);
    for (const tokenId of keptIds) expect(await findOwner(tokenId)).toBeUndefined();
    // Nobody else can be sold the transferred one.
    const token = { contractAddress: sharedStack().ticketContract, tokenId: transferredId };
    await eventually('the transferred token is locked', async () => (await readLocks([token]))[0]);
  });
});

describe('a payment of which a part went back', () => {
  const runClearReview = (...args: string[]) => runOps(['clear-review', ...args]);

  it('is under review until an operator runs `npm run ops -- clear-review`', async () => {
    const { orderId, reference } = await buyTickets(await openSale(), buyer, 2, 'gateway-a');
    await controlSandbox(`payments/${reference}/refund`, { amount: 1_000 });
    const paymentReview = await eventually('the payment is under review', async () => {
      return (await readOrder(buyer, orderId)).paymentReview;
    });
    expect((await runClearReview()).stdout).toContain(`Order ${orderId} (COMPLETED): ${paymentReview}`);
    expect((await runClearReview('--order', orderId)).stdout).toContain(paymentReview);
    expect(await readOrder(buyer, orderId)).toMatchObject({
      paymentStatus: 'COMPLETED',
      paymentReview: null,
    });
    expect((await runClearReview()).stdout).not.toContain(orderId);
    await expect(runClearReview('--order', orderId)).rejects.toThrow('is not under review');
    await expect(runClearReview('--order', 'unknown')).rejects.toThrow('Order not found');
  });
});

describe('a refund of an on-chain payment', () => {
  const runCompleteRefund = (...args: string[]) => runOps(['complete-refund', ...args]);

  it('is listed and completed by `npm run ops -- complete-refund`', async () => {
    const sale = await openSale({ currency: 'POL', price: 0.5 });
    const wallet = await openWallet(sharedStack());
    const order = await placeOrder(sale, buyer, { quantity: 2, paymentMethod: 'CRYPTO' });
    const txHash = await wallet.pay(order.payment);
    await eventually('the payment is final', async () => {
      return (await buyer.post(`/api/orders/${order.orderId}/confirm`, { txHash })).status === 200;
    });
    wallet.close();
    await eventually('the order is posted', async () => {
      const attempt = await sale.organizer.post(`/api/orders/${order.orderId}/refund`, { seats: [1] });
      return attempt.status === 200;
    });
    const answer = await requestRefund(order.orderId, sale.organizer);
    expect(answer.body.order.refund).toMatchObject({ status: 'manual', amount: 0.5125 });
    expect(await readBalance(sale.organizer, 'POL')).toMatchObject({ available: 0 });

    for (const refund of ['1', 'whole']) {
      const instruction = `Order ${order.orderId}, refund ${refund}: 0.5125 POL to the sender of ${txHash} on chain 137`;
      expect((await runCompleteRefund()).stdout).toContain(instruction);
    }
    for (const args of [
      ['--order', order.orderId],
      ['--transaction', '0xbeef'],
      ['--order', order.orderId, '--refund', 'whole', '--transaction', ''],
    ])
      await expect(runCompleteRefund(...args)).rejects.toThrow('Give --order, --refund and --transaction');
    const record = (refund: string) =>
      runCompleteRefund('--order', order.orderId, '--refund', refund, '--transaction', '0xbeef');
    await expect(record('all')).rejects.toThrow('--refund is the number');
    await record('whole');
    const { refund, refunds } = await readOrder(buyer, order.orderId);
    expect([refund.status, refunds[0].status]).toEqual(['done', 'manual']);
    await record('1');
    expect((await runCompleteRefund()).stdout).not.toContain(order.orderId);
    await expect(record('1')).rejects.toThrow('no such refund to send by hand');
  });
});

describe('a refund without a request', () => {
  it('is sent once when the payment arrives after the event sold out', async () => {
    const sale = await openSale({ quantity: 2 });
    const lateOrder = await initializeOrder(sale, buyer, 2);
    await cancelOrder(lateOrder.orderId, buyer);
    await buyTickets(sale, await registerUser(), 2);
    await controlSandbox(`payments/${lateOrder.reference}/pay`, { repeat: 5 });
    await eventually('the refund is due and posted', async () => {
      await sharedStack().sweep();
      return (await readOrder(buyer, lateOrder.orderId)).refund;
    });
    await waitForRefund(buyer, lateOrder.orderId);
    await Promise.all([sharedStack().sweep(), requestRefund(lateOrder.orderId, sale.organizer)]);
    expect(await listRefunds(lateOrder.reference)).toHaveLength(1);
    expect(await countAvailable(sale.event)).toBe(0);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 100 });
  });

  it('is sent once per order when the event is cancelled', async () => {
    const sale = await openSale();
    const orders = [
      await buyTickets(sale, buyer, 1, 'gateway-a'),
      await buyTickets(sale, buyer, 2, 'gateway-b'),
    ];
    const body = { status: 'CANCELLED' };
    await changeEvent(sale, body);
    for (const { orderId, reference } of orders) {
      await eventually('the refund begins', async () => {
        await sharedStack().sweep();
        return (await readOrder(buyer, orderId)).refund;
      });
      await waitForRefund(buyer, orderId);
      expect(await listRefunds(reference)).toHaveLength(1);
      expect(await countNotifications(orderId, 'Event cancelled')).toBe(1);
    }
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 0 });
    expect(await countAvailable(sale.event)).toBe(100);
  });
});
