import { Interface } from 'ethers/abi';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { developmentWallet } from '../../../infra/local/parts/contract.ts';
import { deriveOrderKey, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { removeBinding } from '../../../shared/contracts/store.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { update, write } from '../../../shared/dynamo/write.ts';
import { getEvent } from '../../../shared/events/store.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import { issueNumber, type Order } from '../../../shared/orders/order.ts';
import { requestRefund } from '../../../shared/orders/refunds/request-refund.ts';
import { cancelEventOrder } from '../../../shared/orders/settlement/cancel-event-order.ts';
import { signCode } from '../../../shared/tickets/check-in/check-in-code.ts';
import { checkIn } from '../../../shared/tickets/check-in/check-in-seat.ts';
import { requestReissue } from '../../../shared/tickets/reissuing/request-reissue.ts';
import { findTicketsById } from '../../../shared/tickets/store.ts';
import { ticketId } from '../../../shared/tickets/ticket.ts';
import { eventually } from '../../support/eventually.ts';
import type { Call, Fault } from '../../support/fault-proxy.ts';
import { Scenario } from './scenario.ts';
import { authorizeContract } from './shop.ts';
import { limit } from './table-faults.ts';

const admin = { userId: 'admin', role: 'ADMIN' } as const;
const buyerOf = ({ userId }: Order) => ({ userId });
const abi = new Interface([
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function BURNER_ROLE() view returns (bytes32)',
  'function ownerOf(uint256) view returns (address)',
  'function transferFrom(address from, address to, uint256 tokenId)',
]);
const pace = 4;

let scenario: Scenario;
const endings: (() => void)[] = [];
/** Orders that are refunded, or whose tickets were transferred. The audit does not expect these. */
const unusual = new Set<Order>();

/** Adds a fault until the test ends. */
const inject = (fault: Fault) => void endings.push(scenario.world.add(fault));

beforeAll(async () => {
  scenario = await Scenario.start({ nodes: ['a', 'b'], lanes: 2, sweepMilliseconds: 400 });
  vi.stubEnv(`CHAIN_${scenario.world.node.chainId}_RPC_URLS`, scenario.world.node.url);
  for (const name of ['worker1', 'worker2']) scenario.world.startWorker(name, 2);
  scenario.world.startSweeper();
});
afterEach(async () => {
  for (const end of endings.splice(0)) end();
  scenario.world.node.setPace(pace);
  for (const order of unusual) {
    const index = scenario.orders.findIndex(({ id }) => id === order.id);
    if (index >= 0) scenario.orders.splice(index, 1);
  }
  const { problems } = await scenario.audit();
  expect(
    problems.filter((one) => !/tokens beyond what was paid for$/.test(one) || unusual.size === 0),
  ).toEqual([]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await scenario?.world.stop();
});

let wallets = 70;
const newWallet = () => developmentWallet(wallets++).address;

async function minted(quantity = 2): Promise<Order> {
  const [order] = await scenario.awaitFulfilment(await scenario.buy(1, () => quantity), 60);
  expect(order?.fulfilmentStatus).toBe('minted');
  return order as Order;
}

/** Waits until the tickets of an order are minted for the given time. */
async function reissued(order: Order, issue = 2): Promise<Order> {
  const [now] = await scenario.awaitOrders(
    [order],
    (one) => one.fulfilmentStatus === 'minted' && issueNumber(one) === issue,
    60,
  );
  return now as Order;
}

async function view(name: string, ...values: unknown[]): Promise<string> {
  const { node, contract } = scenario.world;
  const data = abi.encodeFunctionData(name, values);
  return node.call('eth_call', { to: contract, data }, 'latest');
}

/** The owners of an issue's tokens; undefined for one that does not exist. */
function ownersOf({ id, quantity }: Order, issue: number): Promise<(string | undefined)[]> {
  const { node, contract } = scenario.world;
  const firstId = firstTokenId(deriveOrderKey(node.chainId, contract, id, issue));
  return Promise.all(
    Array.from({ length: quantity }, async (_, index) => {
      const answer = await view('ownerOf', firstId + BigInt(index)).catch(() => undefined);
      return answer && abi.decodeFunctionResult('ownerOf', answer)[0];
    }),
  );
}

/** Sends a transaction of any account, and mines it. */
async function transact(from: string, name: string, ...values: unknown[]): Promise<void> {
  const { node, contract } = scenario.world;
  await node.call('anvil_impersonateAccount', from);
  await node.call('anvil_setBalance', from, '0x8ac7230489e80000');
  const fees = { maxFeePerGas: '0x4a817c8000', maxPriorityFeePerGas: '0x174876e800' };
  const call = { from, to: contract, data: abi.encodeFunctionData(name, values), gas: '0x30d40', ...fees };
  const hash = await node.call<string>('eth_sendTransaction', call);
  await eventually('the transaction is mined', async () => {
    await node.mine();
    return (await node.call('eth_getTransactionReceipt', hash)) !== null;
  });
}

/** Moves a ticket, from 1 on, out of the wallet that it was minted to. */
async function move(order: Order, seat: number, to: string): Promise<void> {
  const { node, contract } = scenario.world;
  const tokenId = firstTokenId(deriveOrderKey(node.chainId, contract, order.id)) + BigInt(seat - 1);
  const [owner] = await ownersOf(order, 1);
  await transact(owner ?? '', 'transferFrom', owner, to, tokenId);
}

const records = (order: Order) =>
  findTicketsById(
    order.userId,
    Array.from({ length: order.quantity }, (_, index) => ticketId(order.id, index + 1)),
  );

const isWrite = ({ target, method }: Call) =>
  target === 'table' && ['PutItem', 'UpdateItem', 'TransactWriteItems', 'BatchWriteItem'].includes(method);
const isSend = ({ method }: Call) => method === 'eth_sendRawTransaction';

describe('a reissue', () => {
  it('burns the tickets, mints them to the other wallet, and changes their records', async () => {
    const order = await minted(3);
    const wallet = newWallet();
    expect(await requestReissue(admin, order.id, wallet)).toMatchObject({ fulfilmentStatus: 'reissuing' });
    await reissued(order);
    expect(await ownersOf(order, 1)).toEqual([undefined, undefined, undefined]);
    expect(await ownersOf(order, 2)).toEqual([wallet, wallet, wallet]);
  });

  it('of an order of the largest size, and again to a third wallet', async () => {
    const order = await minted(500);
    await requestReissue(admin, order.id, newWallet());
    await reissued(order);
    const wallet = newWallet();
    await requestReissue(admin, order.id, wallet);
    await reissued(order, 3);
    expect(new Set(await ownersOf(order, 3))).toEqual(new Set([wallet]));
  }, 180_000);

  it('is allowed to the buyer once, before any seat is admitted', async () => {
    const [order, used] = [await minted(), await minted()];
    await requestReissue(buyerOf(order), order.id, newWallet());
    await reissued(order);
    await expect(requestReissue(buyerOf(order), order.id, newWallet())).rejects.toMatchObject({
      code: 'already-reissued',
    });
    await write(update(keys.order(used.id), { set: { admitted: 1 } }));
    await expect(requestReissue(buyerOf(used), used.id, newWallet())).rejects.toMatchObject({
      code: 'admitted',
    });
    await requestReissue(admin, used.id, newWallet());
    await reissued(used);
    const stranger = { userId: 'stranger' };
    await expect(requestReissue(stranger, order.id, newWallet())).rejects.toMatchObject({
      code: 'order-not-found',
    });
  });

  it('happens once when it is asked for many times at once', async () => {
    const order = await minted();
    const asked = await Promise.allSettled(
      Array.from({ length: 4 }, () => requestReissue(admin, order.id, newWallet())),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of asked) if (one.status === 'rejected') expect(one.reason.code).toBe('in-progress');
    await reissued(order);
  });

  it('keeps the check-in codes valid, also while no token exists', async () => {
    vi.stubEnv('CHECK_IN_SECRET', 'a secret of the drill');
    const order = await minted();
    const code = await signCode({ orderId: order.id, number: 1, epoch: 0 });
    const gate = Promise.withResolvers<void>();
    let sends = 0;
    inject(async (call, forward) => {
      // The burn is the first, the mint the second.
      if (isSend(call) && sends++ > 0) await gate.promise;
      return forward();
    });
    await requestReissue(admin, order.id, newWallet());
    const isBurned = async () => (await ownersOf(order, 1)).every((owner) => owner === undefined);
    await eventually('the tickets are burned', isBurned, { seconds: 30 });
    expect(await checkIn(admin, { code })).toMatchObject({ orderId: order.id, number: 1 });
    gate.resolve();
    await reissued(order);
  });

  it('is not disturbed by a request to mint', async () => {
    const order = await minted();
    await requestReissue(admin, order.id, newWallet());
    await requestFulfilment(admin, order.id);
    await reissued(order);
  });
});

describe('a reissue is done once when', () => {
  it('the worker dies before and after each of its writes', async () => {
    // A worker makes about ten writes for it; with a higher number no worker is killed.
    const orders = await scenario.awaitFulfilment(await scenario.buy(24, () => 2), 60);
    for (const [index, order] of orders.entries()) {
      const step = Math.floor(index / 2);
      const isAfter = index % 2 === 1;
      let writes = 0;
      const end = scenario.world.add(async (call, forward) => {
        if (call.worker === 'sweeper' || !isWrite(call) || writes++ !== step) return forward();
        if (isAfter) await forward();
        scenario.world.kill(call.worker);
        return 'drop';
      });
      await requestReissue(admin, order.id, newWallet());
      await reissued(order);
      end();
    }
    expect(scenario.world.kills.length).toBeGreaterThanOrEqual(12);
  }, 280_000);

  it('the worker dies before and after each broadcast', async () => {
    const orders = await scenario.awaitFulfilment(await scenario.buy(4, () => 2), 60);
    for (const [index, order] of orders.entries()) {
      let sends = 0;
      const end = scenario.world.add(async (call, forward) => {
        if (!isSend(call) || sends++ !== Math.floor(index / 2)) return forward();
        if (index % 2 === 1) await forward();
        scenario.world.kill(call.worker);
        return 'drop';
      });
      await requestReissue(admin, order.id, newWallet());
      await reissued(order);
      end();
    }
  }, 120_000);

  it('the answers of its writes are lost', async () => {
    const order = await minted();
    inject(
      limit(
        (call) => call.worker !== 'sweeper' && isWrite(call),
        async (_call, forward) => {
          await forward();
          return 'drop';
        },
        12,
      ),
    );
    await requestReissue(admin, order.id, newWallet());
    await reissued(order);
  });

  it('one of two nodes denies the burn', async () => {
    const order = await minted();
    inject(async (call, forward) => {
      if (call.target !== 'b' || call.method !== 'eth_getTransactionReceipt') return forward();
      const answer = await forward();
      if (answer === 'drop' || !answer.body.result) return answer;
      return { ...answer, body: { ...answer.body, result: { ...answer.body.result, logs: [] } } };
    });
    await requestReissue(admin, order.id, newWallet());
    const isBurned = async () => (await ownersOf(order, 1)).every((owner) => owner === undefined);
    await eventually('the tickets are burned', isBurned, { seconds: 30 });
    // The nodes do not agree on what was burned: nothing is minted until they do.
    let sweeps = 0;
    endings.push(scenario.world.onSweep(() => sweeps++));
    await eventually('the sweeps are done', () => sweeps > 3, { seconds: 30 });
    expect(await ownersOf(order, 2)).toEqual([undefined, undefined]);
    for (const end of endings.splice(0)) end();
    await reissued(order);
  }, 120_000);

  it('a reorganisation drops its final blocks', async () => {
    const order = await minted();
    await requestReissue(admin, order.id, newWallet());
    await reissued(order);
    scenario.world.node.setPace(0);
    await scenario.world.node.reorganise(16);
    scenario.world.node.setPace(pace);
    // Later mints of both lanes make the workers check the earlier nonces.
    await scenario.awaitFulfilment(await scenario.buy(6), 60);
    const isMintedAgain = async () => (await ownersOf(order, 2)).every(Boolean);
    await eventually('the tickets are minted again', isMintedAgain, { seconds: 60 });
  }, 180_000);
});

describe('a reissue whose tickets are burned and can not be minted', () => {
  it('goes to another wallet when the organizer asks again', async () => {
    const order = await minted();
    const { chainId } = scenario.world.node;
    const { contractAddress } = await getEvent(order.eventId);
    const address = contractAddress ?? '';
    inject(
      limit(isSend, async (_call, forward) => {
        await write(removeBinding({ chainId, address, organizerId: 'organizer' }));
        return forward();
      }),
    );
    await requestReissue(admin, order.id, newWallet());
    const [failed] = await scenario.awaitOrders(
      [order],
      ({ fulfilmentStatus }) => fulfilmentStatus === 'failed',
      60,
    );
    expect(failed).toMatchObject({ fulfilmentReason: 'contract-not-authorized', issue: { number: 2 } });
    await authorizeContract(chainId, address);
    const wallet = newWallet();
    await expect(requestReissue(buyerOf(order), order.id, wallet)).rejects.toMatchObject({
      code: 'nothing-to-reissue',
    });
    await requestReissue(admin, order.id, wallet);
    await reissued(order);
    expect(await ownersOf(order, 2)).toEqual([wallet, wallet]);
  });
});

describe('a reissue that meets a refund', () => {
  /** Waits until an order is due for a refund and has no token left. */
  async function without(order: Order): Promise<void> {
    unusual.add(order);
    const isGone = async () => {
      const owners = [...(await ownersOf(order, 1)), ...(await ownersOf(order, 2))];
      const [now] = await scenario.readOrders([order]);
      return now?.fulfilmentStatus === 'refund-due' && owners.every((owner) => owner === undefined);
    };
    await eventually('no token is left', isGone, { seconds: 60 });
  }
  const book = (order: Order) => write(update(keys.order(order.id), { set: { isBooked: true } }));

  it('before its burn is sent: the refund takes the burn over', async () => {
    const order = await minted();
    await book(order);
    scenario.world.node.setPace(0);
    await requestReissue(admin, order.id, newWallet());
    await requestRefund(admin, order.id);
    scenario.world.node.setPace(pace);
    await without(order);
  });

  it('while its burn is final and nothing minted yet, or minted and not final', async () => {
    for (const hasSentMint of [false, true]) {
      const order = await minted();
      await book(order);
      let sends = 0;
      const end = scenario.world.add(async (call, forward) => {
        // The burn is the first, the mint the second.
        if (!isSend(call) || sends++ !== 1) return forward();
        if (hasSentMint) await forward();
        await requestRefund(admin, order.id);
        return 'drop';
      });
      await requestReissue(admin, order.id, newWallet());
      await without(order);
      end();
    }
  }, 180_000);

  it('after it ended: the reissued tickets are burned', async () => {
    const order = await minted();
    await book(order);
    await requestReissue(admin, order.id, newWallet());
    await reissued(order);
    await requestRefund(admin, order.id);
    await without(order);
    const areMarked = async () => (await records(order)).every(({ burnedAt }) => burnedAt);
    await eventually('the records are marked', areMarked);
    await expect(requestReissue(admin, order.id, newWallet())).rejects.toMatchObject({ code: 'refunded' });
  });

  it('because the event is cancelled', async () => {
    const order = await minted();
    await requestReissue(admin, order.id, newWallet());
    const event = await getEvent(order.eventId);
    await cancelEventOrder(order, { ...event, status: 'CANCELLED' });
    await requestRefund(admin, order.id);
    await without(order);
  });
});

describe('a reissue changes nothing', () => {
  it('once a token or a seat was transferred', async () => {
    const [sold, handed] = [await minted(), await minted()];
    await move(sold, 1, newWallet());
    unusual.add(sold);
    await expect(requestReissue(admin, sold.id, newWallet())).rejects.toMatchObject({ code: 'moved' });
    await write(update(keys.order(handed.id), { set: { moved: 1 } }));
    await expect(requestReissue(admin, handed.id, newWallet())).rejects.toMatchObject({ code: 'moved' });
  });

  it('when all tickets are transferred before they are burned', async () => {
    const order = await minted(1);
    unusual.add(order);
    await requestReissueThenMove(order, [1]);
    const [now] = await scenario.awaitOrders(
      [order],
      ({ fulfilmentStatus }) => fulfilmentStatus === 'minted',
      60,
    );
    expect(now).toMatchObject({ fulfilmentReason: 'not-reissued' });
    expect(now?.issue).toBeUndefined();
  });

  it('for the tickets that are transferred before they are burned; the others are minted again', async () => {
    const order = await minted(3);
    unusual.add(order);
    const { wallet, holder } = await requestReissueThenMove(order, [2]);
    const now = await reissued(order);
    expect(now.issue).toMatchObject({ wallet, seats: [1, 3] });
    expect(await ownersOf(order, 1)).toEqual([undefined, holder, undefined]);
    expect(await ownersOf(order, 2)).toEqual([wallet, wallet, undefined]);
    const tickets = await records(order);
    expect(tickets.map(({ owner }) => owner === wallet)).toEqual([true, false, true]);
    const firstOfSecond = firstTokenId(
      deriveOrderKey(scenario.world.node.chainId, scenario.world.contract, order.id, 2),
    );
    expect([tickets[0]?.tokenId, tickets[2]?.tokenId]).toEqual([
      String(firstOfSecond),
      String(firstOfSecond + 1n),
    ]);
  });

  it('when the service may not burn, and can be asked for again', async () => {
    const order = await minted();
    const deployer = developmentWallet(0).address;
    const role = await view('BURNER_ROLE');
    const change = async (name: 'grantRole' | 'revokeRole') => {
      for (const minter of scenario.world.minters) await transact(deployer, name, role, minter);
    };
    await change('revokeRole');
    await requestReissue(buyerOf(order), order.id, newWallet());
    const [kept] = await scenario.awaitOrders(
      [order],
      ({ fulfilmentReason }) => fulfilmentReason === 'not-reissued',
      60,
    );
    expect(kept).toMatchObject({ fulfilmentStatus: 'minted' });
    await change('grantRole');
    await requestReissue(buyerOf(order), order.id, newWallet());
    expect(await reissued(order)).not.toHaveProperty('fulfilmentReason');
  });

  it('when the organizer may no longer mint on the contract', async () => {
    const order = await minted();
    const { chainId } = scenario.world.node;
    const { contractAddress } = await getEvent(order.eventId);
    await write(removeBinding({ chainId, address: contractAddress ?? '', organizerId: 'organizer' }));
    await requestReissue(admin, order.id, newWallet());
    await scenario.awaitOrders([order], ({ fulfilmentReason }) => fulfilmentReason === 'not-reissued', 60);
    await authorizeContract(chainId, contractAddress ?? '');
  });
});

/** Asks for a reissue, and has tickets transferred before the burn is mined. */
async function requestReissueThenMove(order: Order, seats: number[]) {
  const [wallet, holder] = [newWallet(), newWallet()];
  const gate = Promise.withResolvers<void>();
  inject(
    limit(isSend, async (_call, forward) => {
      await gate.promise;
      return forward();
    }),
  );
  await requestReissue(admin, order.id, wallet);
  for (const seat of seats) await move(order, seat, holder);
  gate.resolve();
  return { wallet, holder };
}
