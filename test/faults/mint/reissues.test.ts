import { Interface } from 'ethers/abi';
import { Transaction } from 'ethers/transaction';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { removeBinding } from '../../../shared/catalog/contracts/store.ts';
import { getEvent } from '../../../shared/catalog/events/store.ts';
import { decodeMintCalldata, deriveOrderKey, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { update, write } from '../../../shared/dynamo/write.ts';
import { cancelEventOrder } from '../../../shared/jobs/event-jobs/run-event-jobs.ts';
import { requestReissue } from '../../../shared/nft/reissuing/request-reissue.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import { issueNumber, type Order } from '../../../shared/orders/order.ts';
import { requestRefund } from '../../../shared/orders/refunds/refund-order.ts';
import { signCode } from '../../../shared/tickets/check-in/admissions.ts';
import { checkIn } from '../../../shared/tickets/check-in/check-in-seat.ts';
import { findMintedToken, findTicketsById } from '../../../shared/tickets/store.ts';
import { ticketId } from '../../../shared/tickets/ticket.ts';
import { eventually } from '../../support/eventually.ts';
import type { Call, Fault } from '../../support/fault-proxy.ts';
import { Scenario } from './scenario.ts';
import { authorizeContract } from './shop.ts';
import { onFirst } from './table-faults.ts';

const admin = { userId: 'admin', role: 'ADMIN' } as const;
const buyerOf = ({ userId }: Order) => ({ userId });
const abi = new Interface([
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function BURNER_ROLE() view returns (bytes32)',
  'function ownerOf(uint256) view returns (address)',
  'function transferFrom(address from, address to, uint256 tokenId)',
]);
const blocksPerSecond = 4;
/** The number of loops that poll the mint queue in each worker process. */
const pollers = 2;

let scenario: Scenario;
const removals: (() => void)[] = [];
/** Orders that are refunded or whose tickets were transferred. The audit does not support these. */
const unauditedOrders = new Set<Order>();

/** Adds a fault until the test ends. */
const inject = (fault: Fault) => void removals.push(scenario.world.intercept(fault));

beforeAll(async () => {
  scenario = await Scenario.start({ nodes: ['a', 'b'], minterCount: 2, sweepMilliseconds: 400 });
  vi.stubEnv(`CHAIN_${scenario.world.node.chainId}_RPC_URLS`, scenario.world.node.url);
  for (const name of ['worker1', 'worker2']) scenario.world.startWorker(name, pollers);
  scenario.world.startSweeper();
});
afterEach(async () => {
  for (const remove of removals.splice(0)) remove();
  scenario.world.node.setBlocksPerSecond(blocksPerSecond);
  for (const order of unauditedOrders) {
    const index = scenario.orders.findIndex(({ id }) => id === order.id);
    if (index >= 0) scenario.orders.splice(index, 1);
  }
  const { problems } = await scenario.audit();
  expect(
    problems.filter(
      (problem) => !/tokens beyond what was paid for$/.test(problem) || unauditedOrders.size === 0,
    ),
  ).toEqual([]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await scenario?.world.stop();
});

let walletIndex = 70;
const newWallet = () => developmentWallet(walletIndex++).address;

async function buyMintedOrder(quantity = 2): Promise<Order> {
  const [order] = await scenario.awaitFulfilment(await scenario.buy(1, () => quantity), 60);
  expect(order?.fulfilmentStatus).toBe('minted');
  return order as Order;
}

/** Waits until an issue of an order's tickets is minted. */
async function awaitReissue(order: Order, issue = 2): Promise<Order> {
  const [reissuedOrder] = await scenario.awaitOrders(
    [order],
    (current) => current.fulfilmentStatus === 'minted' && issueNumber(current) === issue,
    60,
  );
  return reissuedOrder as Order;
}

async function callContract(name: string, ...values: unknown[]): Promise<string> {
  const { node, contract } = scenario.world;
  const data = abi.encodeFunctionData(name, values);
  return node.call('eth_call', { to: contract, data }, 'latest');
}

/** Reads the owners of an issue's tokens, undefined for tokens that do not exist. */
function readOwners({ id, quantity }: Order, issue: number): Promise<(string | undefined)[]> {
  const { node, contract } = scenario.world;
  const firstId = firstTokenId(deriveOrderKey(node.chainId, contract, id, issue));
  return Promise.all(
    Array.from({ length: quantity }, async (_, index) => {
      const answer = await callContract('ownerOf', firstId + BigInt(index)).catch(() => undefined);
      return answer && abi.decodeFunctionResult('ownerOf', answer)[0];
    }),
  );
}

const readBlockNumber = async () => Number(await scenario.world.node.call<string>('eth_blockNumber'));

/** Sends a transaction from any account, and mines it. */
async function sendTransaction(from: string, name: string, ...values: unknown[]): Promise<void> {
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

/** Transfers a ticket to another wallet. @param seat the number of its seat, from 1 */
async function transferTicket(order: Order, seat: number, to: string): Promise<void> {
  const { node, contract } = scenario.world;
  const tokenId = firstTokenId(deriveOrderKey(node.chainId, contract, order.id)) + BigInt(seat - 1);
  const [owner] = await readOwners(order, 1);
  await sendTransaction(owner ?? '', 'transferFrom', owner, to, tokenId);
}

const readTickets = (order: Order) =>
  findTicketsById(
    order.userId,
    Array.from({ length: order.quantity }, (_, index) => ticketId(order.id, index + 1)),
  );

const isWrite = ({ target, method }: Call) =>
  target === 'table' && ['PutItem', 'UpdateItem', 'TransactWriteItems', 'BatchWriteItem'].includes(method);
const isSend = ({ method }: Call) => method === 'eth_sendRawTransaction';
/** Returns whether a call broadcasts a mint. A reissue broadcasts its burn first. Each is sent to both nodes. */
const isMintSend = (call: Call) =>
  isSend(call) && decodeMintCalldata(decodeTransaction(call.body.params[0]).data).length > 0;

describe('a reissue', () => {
  it('burns the tickets, and mints them to the other wallet', async () => {
    const order = await buyMintedOrder(3);
    const wallet = newWallet();
    expect(await requestReissue(admin, order.id, wallet)).toMatchObject({ fulfilmentStatus: 'reissuing' });
    await awaitReissue(order);
    expect(await readOwners(order, 1)).toEqual([undefined, undefined, undefined]);
    expect(await readOwners(order, 2)).toEqual([wallet, wallet, wallet]);
  });

  it('succeeds for an order of the largest size, and again to a third wallet', async () => {
    const order = await buyMintedOrder(500);
    await requestReissue(admin, order.id, newWallet());
    await awaitReissue(order);
    const wallet = newWallet();
    await requestReissue(admin, order.id, wallet);
    await awaitReissue(order, 3);
    expect(new Set(await readOwners(order, 3))).toEqual(new Set([wallet]));
  }, 180_000);

  it('can be requested by the buyer once, before any seat is admitted, and by an admin always', async () => {
    const [order, admittedOrder] = [await buyMintedOrder(), await buyMintedOrder()];
    await requestReissue(buyerOf(order), order.id, newWallet());
    await awaitReissue(order);
    await expect(requestReissue(buyerOf(order), order.id, newWallet())).rejects.toMatchObject({
      code: 'already-reissued',
    });
    await write(update(keys.order(admittedOrder.id), { set: { admitted: 1 } }));
    await expect(requestReissue(buyerOf(admittedOrder), admittedOrder.id, newWallet())).rejects.toMatchObject(
      {
        code: 'admitted',
      },
    );
    await requestReissue(admin, admittedOrder.id, newWallet());
    await awaitReissue(admittedOrder);
    const stranger = { userId: 'stranger' };
    await expect(requestReissue(stranger, order.id, newWallet())).rejects.toMatchObject({
      code: 'order-not-found',
    });
  });

  it('happens once for concurrent requests', async () => {
    const order = await buyMintedOrder();
    // The reissue can't end before the last request arrives.
    await scenario.world.node.setBlocksPerSecond(0);
    const requests = await Promise.allSettled(
      Array.from({ length: 4 }, () => requestReissue(admin, order.id, newWallet())),
    );
    expect(requests.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const request of requests)
      if (request.status === 'rejected') expect(request.reason.code).toBe('in-progress');
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    await awaitReissue(order);
  });

  it('keeps the check-in codes valid, also while no token exists', async () => {
    vi.stubEnv('CHECK_IN_SECRET', 'a secret of the drill');
    const order = await buyMintedOrder();
    const code = await signCode({ orderId: order.id, number: 1, transfers: 0 });
    const gate = Promise.withResolvers<void>();
    inject(async (call, forward) => {
      if (isMintSend(call)) await gate.promise;
      return forward();
    });
    await requestReissue(admin, order.id, newWallet());
    const isBurned = async () => (await readOwners(order, 1)).every((owner) => owner === undefined);
    await eventually('the tickets are burned', isBurned, { seconds: 30 });
    expect(await checkIn(admin, { code })).toMatchObject({ orderId: order.id, number: 1 });
    gate.resolve();
    await awaitReissue(order);
  });

  it('completes although fulfilment is requested meanwhile', async () => {
    const order = await buyMintedOrder();
    await requestReissue(admin, order.id, newWallet());
    await requestFulfilment(admin, order.id);
    await awaitReissue(order);
  });
});

describe('a reissue is done once when', () => {
  it('the worker dies before and after each of its writes', async () => {
    // A reissue takes about ten writes, so the last orders are reissued without a kill.
    const orders = await scenario.awaitFulfilment(await scenario.buy(24, () => 2), 60);
    for (const [index, order] of orders.entries()) {
      const writeIndex = Math.floor(index / 2);
      const isAfter = index % 2 === 1;
      let writes = 0;
      const removeFault = scenario.world.intercept(async (call, forward) => {
        if (call.worker === 'sweeper' || !isWrite(call) || writes++ !== writeIndex) return forward();
        if (isAfter) await forward();
        scenario.world.kill(call.worker);
        return 'drop';
      });
      await requestReissue(admin, order.id, newWallet());
      await awaitReissue(order);
      removeFault();
    }
    expect(scenario.world.kills.length).toBeGreaterThanOrEqual(12);
    // 70 seconds on an idle machine, and 135 on a busy one.
  }, 600_000);

  it('the worker dies before and after each broadcast', async () => {
    const orders = await scenario.awaitFulfilment(await scenario.buy(4, () => 2), 60);
    for (const [index, order] of orders.entries()) {
      const isMint = index >= 2;
      const isAfter = index % 2 === 1;
      const kill = onFirst(
        (call) => isSend(call) && isMintSend(call) === isMint,
        async (call, forward) => {
          if (isAfter) await forward();
          scenario.world.kill(call.worker);
          return 'drop';
        },
      );
      const removeFault = scenario.world.intercept(kill);
      await requestReissue(admin, order.id, newWallet());
      await awaitReissue(order);
      removeFault();
      expect(kill.remaining).toBe(0);
    }
  }, 120_000);

  it('the answers of its writes are lost', async () => {
    const order = await buyMintedOrder();
    inject(
      onFirst(
        (call) => call.worker !== 'sweeper' && isWrite(call),
        async (_call, forward) => {
          await forward();
          return 'drop';
        },
        12,
      ),
    );
    await requestReissue(admin, order.id, newWallet());
    await awaitReissue(order);
  });

  it('one of two nodes returns receipts without the burn', async () => {
    const order = await buyMintedOrder();
    inject(async (call, forward) => {
      if (call.target !== 'b' || call.method !== 'eth_getTransactionReceipt') return forward();
      const answer = await forward();
      if (answer === 'drop' || !answer.body.result) return answer;
      return { ...answer, body: { ...answer.body, result: { ...answer.body.result, logs: [] } } };
    });
    await requestReissue(admin, order.id, newWallet());
    const isBurned = async () => (await readOwners(order, 1)).every((owner) => owner === undefined);
    await eventually('the tickets are burned', isBurned, { seconds: 30 });
    // Nothing is minted until the nodes agree on the burned tokens.
    let sweeps = 0;
    removals.push(scenario.world.onSweep(() => sweeps++));
    await eventually('the sweeps are done', () => sweeps > 3, { seconds: 30 });
    expect(await readOwners(order, 2)).toEqual([undefined, undefined]);
    for (const remove of removals.splice(0)) remove();
    await awaitReissue(order);
  }, 120_000);

  it('a reorganisation drops its blocks after they counted as final', async () => {
    const { node, minters } = scenario.world;
    const order = await buyMintedOrder();
    await node.setBlocksPerSecond(0);
    const firstBlock = await readBlockNumber();
    await requestReissue(admin, order.id, newWallet());
    node.setBlocksPerSecond(blocksPerSecond);
    await awaitReissue(order);
    await node.setBlocksPerSecond(0);
    await node.reorganise((await readBlockNumber()) - firstBlock);
    expect(await readOwners(order, 2)).toEqual([undefined, undefined]);
    node.setBlocksPerSecond(blocksPerSecond);
    // The workers check a minting account's earlier nonces when it mints again. A hash selects the account of an order.
    const signers = new Set<string | undefined>();
    while (signers.size < minters.length) {
      for (const { mint } of await scenario.awaitFulfilment(await scenario.buy(1), 60))
        signers.add(mint?.signer);
    }
    const isMintedAgain = async () => (await readOwners(order, 2)).every(Boolean);
    await eventually('the tickets are minted again', isMintedAgain, { seconds: 60 });
    expect(await readOwners(order, 1)).toEqual([undefined, undefined]);
  }, 180_000);
});

describe('a reissue whose tickets are burned and can’t be minted', () => {
  it('goes to another wallet when an admin requests it again', async () => {
    const order = await buyMintedOrder();
    const { chainId } = scenario.world.node;
    const { contractAddress } = await getEvent(order.eventId);
    const address = contractAddress ?? '';
    let removal: Promise<unknown> | undefined;
    // Before either node has the burn.
    inject(async (call, forward) => {
      if (isSend(call)) {
        removal ??= write(removeBinding({ chainId, address, organizerId: 'organizer' }));
        await removal;
      }
      return forward();
    });
    await requestReissue(admin, order.id, newWallet());
    const [failedOrder] = await scenario.awaitOrders(
      [order],
      ({ fulfilmentStatus }) => fulfilmentStatus === 'failed',
      60,
    );
    expect(failedOrder).toMatchObject({ fulfilmentReason: 'contract-not-authorized', issue: { number: 2 } });
    await authorizeContract(chainId, address);
    const wallet = newWallet();
    await expect(requestReissue(buyerOf(order), order.id, wallet)).rejects.toMatchObject({
      code: 'nothing-to-reissue',
    });
    await requestReissue(admin, order.id, wallet);
    await awaitReissue(order);
    expect(await readOwners(order, 2)).toEqual([wallet, wallet]);
  });
});

describe('an order with a reissue', () => {
  /** Waits until an order is due for a refund and has no tokens. */
  async function awaitNoTokens(order: Order): Promise<void> {
    unauditedOrders.add(order);
    const hasNoTokens = async () => {
      const owners = [...(await readOwners(order, 1)), ...(await readOwners(order, 2))];
      const [current] = await scenario.readOrders([order]);
      return current?.fulfilmentStatus === 'refund-due' && owners.every((owner) => owner === undefined);
    };
    await eventually('the order has no tokens', hasNoTokens, { seconds: 60 });
  }
  /** A refund requires that the order is posted to the ledger. */
  const markAsBooked = (order: Order) => write(update(keys.order(order.id), { set: { isPosted: true } }));

  it('has no tokens in the end when the refund comes before the burn of its reissue', async () => {
    const order = await buyMintedOrder();
    await markAsBooked(order);
    await scenario.world.node.setBlocksPerSecond(0);
    await requestReissue(admin, order.id, newWallet());
    await requestRefund(admin, order.id);
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    await awaitNoTokens(order);
  });

  it('has no tokens in the end when the refund comes just before or after the mint of its reissue', async () => {
    for (const hasSentMint of [false, true]) {
      const order = await buyMintedOrder();
      await markAsBooked(order);
      const mint = Promise.withResolvers<{ signer: string; nonce: number }>();
      let refund: Promise<unknown> | undefined;
      const removeFault = scenario.world.intercept(async (call, forward) => {
        if (!isMintSend(call)) return forward();
        if (hasSentMint) await forward();
        refund ??= requestRefund(admin, order.id);
        await refund;
        const { from, nonce } = Transaction.from(call.body.params[0]);
        mint.resolve({ signer: from ?? '', nonce });
        return 'drop';
      });
      await requestReissue(admin, order.id, newWallet());
      const { signer, nonce } = await mint.promise;
      removeFault();
      // Before that, the order has no tokens either.
      await eventually('the nonce of the mint is used', async () => {
        const count = await scenario.world.node.call<string>('eth_getTransactionCount', signer, 'latest');
        return Number(count) > nonce;
      });
      await awaitNoTokens(order);
    }
  }, 180_000);

  it('has no tokens in the end when the refund comes after its reissue', async () => {
    const order = await buyMintedOrder();
    await markAsBooked(order);
    await requestReissue(admin, order.id, newWallet());
    await awaitReissue(order);
    await requestRefund(admin, order.id);
    await awaitNoTokens(order);
    const areMarkedAsBurned = async () => (await readTickets(order)).every(({ burnedAt }) => burnedAt);
    await eventually('the tickets are marked as burned', areMarkedAsBurned);
    await expect(requestReissue(admin, order.id, newWallet())).rejects.toMatchObject({ code: 'refunded' });
  });

  it('has no tokens in the end when its event is cancelled during its reissue', async () => {
    const order = await buyMintedOrder();
    await requestReissue(admin, order.id, newWallet());
    const event = await getEvent(order.eventId);
    await cancelEventOrder(order, { ...event, status: 'CANCELLED' });
    await requestRefund(admin, order.id);
    await awaitNoTokens(order);
  });
});

describe('a reissue leaves tickets unchanged', () => {
  it('when a token or a seat of the order was transferred before', async () => {
    const [tokenTransferred, seatTransferred] = [await buyMintedOrder(), await buyMintedOrder()];
    await transferTicket(tokenTransferred, 1, newWallet());
    unauditedOrders.add(tokenTransferred);
    await expect(requestReissue(admin, tokenTransferred.id, newWallet())).rejects.toMatchObject({
      code: 'moved',
    });
    await write(update(keys.order(seatTransferred.id), { set: { transferred: 1 } }));
    await expect(requestReissue(admin, seatTransferred.id, newWallet())).rejects.toMatchObject({
      code: 'moved',
    });
  });

  it('when all tickets are transferred before they are burned', async () => {
    const order = await buyMintedOrder(1);
    unauditedOrders.add(order);
    await requestReissueThenTransfer(order, [1]);
    const [unchanged] = await scenario.awaitOrders(
      [order],
      ({ fulfilmentStatus }) => fulfilmentStatus === 'minted',
      60,
    );
    expect(unchanged).toMatchObject({ fulfilmentReason: 'not-reissued' });
    expect(unchanged?.issue).toBeUndefined();
  });

  it('that are transferred before they are burned, and mints the others again', async () => {
    const order = await buyMintedOrder(3);
    unauditedOrders.add(order);
    const { wallet, holder } = await requestReissueThenTransfer(order, [2]);
    const reissuedOrder = await awaitReissue(order);
    expect(reissuedOrder.issue).toMatchObject({ wallet, seats: [1, 3] });
    expect(await readOwners(order, 1)).toEqual([undefined, holder, undefined]);
    expect(await readOwners(order, 2)).toEqual([wallet, wallet, undefined]);
    const tickets = await readTickets(order);
    expect(tickets.map(({ owner }) => owner === wallet)).toEqual([true, false, true]);
    const secondIssueFirstId = firstTokenId(
      deriveOrderKey(scenario.world.node.chainId, scenario.world.contract, order.id, 2),
    );
    expect([tickets[0]?.tokenId, tickets[2]?.tokenId]).toEqual([
      String(secondIssueFirstId),
      String(secondIssueFirstId + 1n),
    ]);
    const { chainId, contractAddress = '' } = tickets[2] ?? {};
    expect(await findMintedToken(Number(chainId), contractAddress, secondIssueFirstId + 1n)).toMatchObject({
      seatNumber: 3,
    });
  });

  it('when the service has no burner role, and can be requested again', async () => {
    const order = await buyMintedOrder();
    const deployer = developmentWallet(0).address;
    const role = await callContract('BURNER_ROLE');
    const changeBurnerRole = async (name: 'grantRole' | 'revokeRole') => {
      for (const minter of scenario.world.minters) await sendTransaction(deployer, name, role, minter);
    };
    await changeBurnerRole('revokeRole');
    await requestReissue(buyerOf(order), order.id, newWallet());
    const [unchanged] = await scenario.awaitOrders(
      [order],
      ({ fulfilmentReason }) => fulfilmentReason === 'not-reissued',
      60,
    );
    expect(unchanged).toMatchObject({ fulfilmentStatus: 'minted' });
    await changeBurnerRole('grantRole');
    await requestReissue(buyerOf(order), order.id, newWallet());
    expect(await awaitReissue(order)).not.toHaveProperty('fulfilmentReason');
  });

  it('when the organizer may no longer mint on the contract', async () => {
    const order = await buyMintedOrder();
    const { chainId } = scenario.world.node;
    const { contractAddress } = await getEvent(order.eventId);
    await write(removeBinding({ chainId, address: contractAddress ?? '', organizerId: 'organizer' }));
    await requestReissue(admin, order.id, newWallet());
    await scenario.awaitOrders([order], ({ fulfilmentReason }) => fulfilmentReason === 'not-reissued', 60);
    await authorizeContract(chainId, contractAddress ?? '');
  });
});

/** Requests a reissue, and transfers tickets before the burn is mined. */
async function requestReissueThenTransfer(order: Order, seats: number[]) {
  const [wallet, holder] = [newWallet(), newWallet()];
  const gate = Promise.withResolvers<void>();
  // Every broadcast waits, since the burn is sent to both nodes.
  inject(async (call, forward) => {
    if (isSend(call)) await gate.promise;
    return forward();
  });
  await requestReissue(admin, order.id, wallet);
  for (const seat of seats) await transferTicket(order, seat, holder);
  gate.resolve();
  return { wallet, holder };
}
