import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Contract, type HDNodeWallet, JsonRpcProvider, Network, Wallet } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { type Person, registerAdmin, registerUser } from '../support/people.ts';
import {
  availableOf,
  balanceOf,
  buyTickets,
  control,
  initializeOrder,
  openSale,
  readOrder,
  statuses,
} from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';
import { tableEnvironment } from '../support/table.ts';
import { checkIn } from '../support/tickets.ts';
import { openWallet } from '../support/wallet.ts';

let buyer: Person;
let admin: Person;
beforeAll(async () => {
  [buyer, admin] = await Promise.all([registerUser(), registerAdmin()]);
});

const refund = (orderId: string, { token }: Person) =>
  call('POST', `/api/orders/${orderId}/refund`, { token });

const refunded = (orderId: string, status = 'done') =>
  eventually(`the refund is ${status}`, async () => {
    const current = await readOrder(buyer, orderId);
    return current.refund?.status === status && current;
  });

const refundsOf = async (reference: string) => (await control(`payments/${reference}`, {}, 'GET')).refunds;

async function notificationsAbout(orderId: string, title: string): Promise<number> {
  const { notifications } = (await call('GET', '/api/notifications?limit=100', { token: buyer.token })).body;
  return notifications.filter(
    (one: { orderId: string; title: string }) => one.orderId === orderId && one.title === title,
  ).length;
}

const ticketAbi = [
  'function ownerOf(uint256) view returns (address)',
  'function transferFrom(address, address, uint256)',
];

async function onChain<Result>(ask: (contract: Contract, provider: JsonRpcProvider) => Promise<Result>) {
  const { chainRpcUrl, chainId, ticketContract } = sharedStack();
  const network = new Network('local', chainId);
  const provider = new JsonRpcProvider(chainRpcUrl, network, { staticNetwork: network, cacheTimeout: -1 });
  try {
    return await ask(new Contract(ticketContract, ticketAbi, provider), provider);
  } finally {
    provider.destroy();
  }
}

/** The owner of a token; undefined once it is burned. */
const ownerOf = (tokenId: string) =>
  onChain((contract) =>
    contract
      .getFunction('ownerOf')(tokenId)
      .then(
        (owner: string) => owner,
        () => undefined,
      ),
  );

const transferTo = (from: HDNodeWallet, to: string, tokenId: string) =>
  onChain(async (contract, provider) => {
    await provider.send('anvil_setBalance', [from.address, '0xde0b6b3a7640000']);
    const signed = contract.connect(from.connect(provider)) as Contract;
    const sent = await signed.getFunction('transferFrom')(from.address, to, tokenId);
    await sent.wait();
  });

// On the functions as they are deployed: their bundles leave parts of the providers' packages out.
describe('a payment that was returned at the provider', () => {
  it.each(['gateway-a', 'gateway-b', 'gateway-c'])('is a refund of the order at %s', async (gateway) => {
    const sale = await openSale();
    const { orderId, reference } = await buyTickets(sale, buyer, 2, gateway);
    const { deliveries } = await control(`payments/${reference}/refund`);
    expect(deliveries).toMatchObject([{ status: 200 }]);
    expect(await refunded(orderId)).toMatchObject({ fulfilment: { status: 'refund-due' } });
  });

  it('is a refund of the order when a dispute is lost', async () => {
    const { orderId, reference } = await buyTickets(await openSale(), buyer, 2, 'gateway-c');
    const { deliveries } = await control(`payments/${reference}/dispute`, { status: 'lost' });
    expect(deliveries).toMatchObject([{ status: 200 }]);
    await refunded(orderId);
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
      expect(await availableOf(sale.event)).toBe(98);
      const answer = await refund(orderId, sale.organizer);
      expect(answer).toMatchObject({
        status: 200,
        body: { order: { paymentStatus: 'COMPLETED', refund: { amount: 102.5 } } },
      });
      const done = await refunded(orderId);
      expect(done).toMatchObject({ paymentStatus: 'COMPLETED', fulfilment: { status: 'refund-due' } });
      expect(await refundsOf(reference)).toMatchObject([{ amount }]);
      expect(await availableOf(sale.event)).toBe(100);
      expect(await balanceOf(sale.organizer)).toMatchObject({ available: 0, pending: 0, paidOut: 0 });
      expect(await notificationsAbout(orderId, 'Refund')).toBe(1);
    },
  );

  it('is refused after an admission, unless the event is cancelled', async () => {
    const sale = await openSale();
    const { orderId, reference } = await buyTickets(sale, buyer, 2);
    const [first, second] = (await readOrder(buyer, orderId)).admissions;
    expect((await checkIn(first.checkInCode, sale.organizer)).status).toBe(200);
    for (const caller of [sale.organizer, admin]) {
      const answer = await refund(orderId, caller);
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([409, 'admitted']);
    }
    expect((await checkIn(second.checkInCode, sale.organizer)).status).toBe(200);
    await call('PUT', `/api/events/${sale.event.id}`, {
      token: sale.organizer.token,
      body: { status: 'CANCELLED' },
    });
    await eventually('the refund begins', async () => {
      await sharedStack().sweep();
      return (await readOrder(buyer, orderId)).refund;
    });
    await refunded(orderId);
    expect(await refundsOf(reference)).toHaveLength(1);
    expect(await balanceOf(sale.organizer)).toMatchObject({ available: 0 });
  });

  it('wins or loses against concurrent scans, and never both', async () => {
    const sale = await openSale();
    for (let round = 0; round < 5; round++) {
      const { orderId } = await buyTickets(sale, buyer, 1);
      const [{ checkInCode }] = (await readOrder(buyer, orderId)).admissions;
      const answers = await Promise.all([
        refund(orderId, sale.organizer),
        checkIn(checkInCode, sale.organizer),
        checkIn(checkInCode, sale.organizer),
      ]);
      expect(statuses(answers)).toEqual([200, 409, 409]);
    }
  });

  it('refunds once for 20 concurrent requests and a later one', async () => {
    const sale = await openSale();
    await buyTickets(sale, buyer, 1);
    const { orderId, reference } = await buyTickets(sale, buyer, 2);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refund(orderId, index % 2 ? admin : sale.organizer)),
    );
    expect(statuses(answers)).toEqual(Array(20).fill(200));
    await refunded(orderId);
    expect((await refund(orderId, sale.organizer)).body.order.refund.status).toBe('done');
    await sharedStack().sweep();
    expect(await refundsOf(reference)).toHaveLength(1);
    expect(await availableOf(sale.event)).toBe(99);
    expect(await balanceOf(sale.organizer)).toMatchObject({ available: 50 });
    expect(await notificationsAbout(orderId, 'Refund')).toBe(1);
  });

  it('frees the buyer’s caps', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 10);
    await expect(initializeOrder(sale, buyer, 1)).rejects.toThrow('at most 10 tickets');
    await refund(orderId, sale.organizer);
    await initializeOrder(sale, buyer, 10);
  });

  it('cancels free tickets', async () => {
    const sale = await openSale({ price: 0 });
    const { orderId } = await initializeOrder(sale, buyer, 2);
    const answer = await eventually('the order is posted', async () => {
      const tried = await refund(orderId, sale.organizer);
      return tried.status === 200 && tried;
    });
    expect(answer.body.order.refund).toMatchObject({ status: 'done', amount: 0 });
    expect(await availableOf(sale.event)).toBe(100);
    expect(await notificationsAbout(orderId, 'Tickets cancelled')).toBe(1);
  });

  it('is allowed to the organizer of the event and administrators', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 1);
    const other = await registerUser({ role: 'ORGANIZER' });
    expect(statuses([await refund(orderId, buyer), await refund(orderId, other)])).toEqual([404, 404]);
    expect((await readOrder(buyer, orderId)).refund).toBeNull();
    expect((await refund('cmissing', admin)).status).toBe(404);
  });

  it('refuses an unpaid order', async () => {
    const sale = await openSale();
    const { orderId } = await initializeOrder(sale, buyer, 1);
    expect(await refund(orderId, sale.organizer)).toMatchObject({
      status: 409,
      body: { error: 'Only a paid order can be refunded' },
    });
  });
});

describe('minted tickets of a refunded order', () => {
  it('are burned while the buyer owns them, and kept once they were transferred', async () => {
    const wallet = Wallet.createRandom();
    const holder = await registerUser({ walletAddress: wallet.address });
    const sale = await openSale({ hasContract: true });
    const { orderId } = await buyTickets(sale, holder, 3);
    const ticketsOf = async () =>
      (await call('GET', `/api/tickets?orderId=${orderId}`, { token: holder.token })).body.tickets;
    const minted = await eventually('the tickets are minted', async () => {
      return (await readOrder(holder, orderId)).fulfilment.status === 'minted' && ticketsOf();
    });
    expect(minted.map(({ burnedAt }: { burnedAt: string | null }) => burnedAt)).toEqual([null, null, null]);
    const friend = Wallet.createRandom().address;
    const [sold, ...kept] = minted.map(({ tokenId }: { tokenId: string }) => tokenId);
    await transferTo(wallet, friend, sold);

    expect((await refund(orderId, sale.organizer)).status).toBe(200);
    await eventually(
      'the refund is done',
      async () => (await readOrder(holder, orderId)).refund.status === 'done',
    );
    await sharedStack().sweep();
    const burned = await eventually('the tickets are burned', async () => {
      const tickets = await ticketsOf();
      const gone = tickets.filter((ticket: { burnedAt: string | null }) => ticket.burnedAt);
      return gone.length >= kept.length && tickets;
    });
    for (const { tokenId, burnedAt } of burned) expect(burnedAt !== null).toBe(tokenId !== sold);
    expect(await ownerOf(sold)).toBe(friend);
    for (const tokenId of kept) expect(await ownerOf(tokenId)).toBeUndefined();
  });
});

describe('a refund of an on-chain payment', () => {
  const script = path.resolve(import.meta.dirname, '../../infra/operator/complete-refund.ts');
  const operator = (...args: string[]) =>
    promisify(execFile)(process.execPath, [script, ...args], {
      env: { ...process.env, ...tableEnvironment(sharedStack()) },
    });

  it('waits for an operator, whose script lists it and marks it as done', async () => {
    const sale = await openSale({ currency: 'POL', price: 0.5 });
    const wallet = await openWallet(sharedStack());
    const body = {
      eventId: sale.event.id,
      tierId: sale.event.tiers[0].id,
      quantity: 2,
      paymentMethod: 'CRYPTO',
    };
    const made = (await call('POST', '/api/orders/initialize', { token: buyer.token, body })).body;
    const txHash = await wallet.pay(made.payment);
    await eventually('the payment is final', async () => {
      const confirmation = { token: buyer.token, body: { txHash } };
      return (await call('POST', `/api/orders/${made.orderId}/confirm`, confirmation)).status === 200;
    });
    wallet.close();
    const asked = await eventually('the order is posted', async () => {
      const answer = await refund(made.orderId, sale.organizer);
      return answer.status === 200 && answer;
    });
    expect(asked.body.order.refund).toMatchObject({ status: 'manual', amount: 1.025 });
    expect(await balanceOf(sale.organizer, 'POL')).toMatchObject({ available: 0 });

    const wanted = `Order ${made.orderId}: 1.025 POL to the sender of ${txHash} on chain 137`;
    expect((await operator()).stdout).toContain(wanted);
    await operator('--order', made.orderId, '--transaction', '0xbeef');
    expect((await readOrder(buyer, made.orderId)).refund.status).toBe('done');
    expect((await operator()).stdout).not.toContain(made.orderId);
    const again = operator('--order', made.orderId, '--transaction', '0xbeef');
    await expect(again).rejects.toThrow('No refund of this order has to be sent by hand');
  });
});

describe('a refund that is due', () => {
  it('is sent once without a request when the payment came after the event sold out', async () => {
    const sale = await openSale({ quantity: 2 });
    const late = await initializeOrder(sale, buyer, 2);
    await call('POST', `/api/orders/${late.orderId}/cancel`, { token: buyer.token });
    await buyTickets(sale, await registerUser(), 2);
    await control(`payments/${late.reference}/pay`, { repeat: 5 });
    await eventually('the refund is due and posted', async () => {
      await sharedStack().sweep();
      return (await readOrder(buyer, late.orderId)).refund;
    });
    await refunded(late.orderId);
    await Promise.all([sharedStack().sweep(), refund(late.orderId, sale.organizer)]);
    expect(await refundsOf(late.reference)).toHaveLength(1);
    expect(await availableOf(sale.event)).toBe(0);
    expect(await balanceOf(sale.organizer)).toMatchObject({ available: 100 });
  });

  it('is sent once without a request when the event is cancelled', async () => {
    const sale = await openSale();
    const orders = [
      await buyTickets(sale, buyer, 1, 'gateway-a'),
      await buyTickets(sale, buyer, 2, 'gateway-b'),
    ];
    const body = { status: 'CANCELLED' };
    await call('PUT', `/api/events/${sale.event.id}`, { token: sale.organizer.token, body });
    for (const { orderId, reference } of orders) {
      await eventually('the refund begins', async () => {
        await sharedStack().sweep();
        return (await readOrder(buyer, orderId)).refund;
      });
      await refunded(orderId);
      expect(await refundsOf(reference)).toHaveLength(1);
      expect(await notificationsAbout(orderId, 'Event cancelled')).toBe(1);
    }
    expect(await balanceOf(sale.organizer)).toMatchObject({ available: 0 });
    expect(await availableOf(sale.event)).toBe(100);
  });
});
