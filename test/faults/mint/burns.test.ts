import { Interface } from 'ethers/abi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { deriveOrderKey, encodeBurn, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { findMinter } from '../../../shared/chain/transactions.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { transact, update, write } from '../../../shared/dynamo/write.ts';
import { type Burn, bindBurn, findBurn, insertBurn } from '../../../shared/nft/burning/store.ts';
import { advanceNonce, findNextNonce, insertMintTransaction } from '../../../shared/nft/nonce/store.ts';
import { maximumOrderTickets, type Order } from '../../../shared/orders/order.ts';
import { requestRefund } from '../../../shared/orders/refunds/refund-order.ts';
import { eventually } from '../../support/eventually.ts';
import { Scenario } from './scenario.ts';
import { readTable } from './table-backup.ts';

const admin = { userId: 'admin', role: 'ADMIN', sessionId: 's' } as never;
const abi = new Interface([
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function BURNER_ROLE() view returns (bytes32)',
  'function balanceOf(address) view returns (uint256)',
]);
/** The number of loops that poll the mint queue in each worker process. */
const pollers = 2;
/** Returns the wallet of an order's buyer. */
const walletOf = ({ userId }: Order) => developmentWallet(50 + Number(userId.slice(-1))).address;

let scenario: Scenario;

beforeAll(async () => {
  scenario = await Scenario.start({ sweepMilliseconds: 500 });
  scenario.world.startWorker('worker1', pollers);
  scenario.world.startSweeper();
});
afterAll(() => scenario?.world.stop());

async function callContract(name: string, ...values: unknown[]): Promise<string> {
  const data = abi.encodeFunctionData(name, values);
  return scenario.world.node.call('eth_call', { to: scenario.world.contract, data }, 'latest');
}

/** Grants or revokes the burner role of the service. */
async function changeBurnerRole(change: 'grantRole' | 'revokeRole'): Promise<void> {
  const data = abi.encodeFunctionData(change, [await callContract('BURNER_ROLE'), scenario.world.minters[0]]);
  const fees = { maxFeePerGas: '0x4a817c8000', maxPriorityFeePerGas: '0x174876e800' };
  const call = { from: developmentWallet(0).address, to: scenario.world.contract, data, gas: '0x30d40' };
  const hash = await scenario.world.node.call<string>('eth_sendTransaction', { ...call, ...fees });
  await scenario.world.node.mine();
  expect(await scenario.world.node.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
}

async function buyMintedOrder(quantity: number): Promise<Order> {
  const [order] = await scenario.awaitFulfilment(await scenario.buy(1, () => quantity), 60);
  expect(order?.fulfilmentStatus).toBe('minted');
  return order as Order;
}

const newBurn = (order: Order): Burn => ({
  orderId: order.id,
  userId: order.userId,
  quantity: order.quantity,
  chainId: scenario.world.node.chainId,
  contract: scenario.world.contract,
  holder: walletOf(order),
  status: 'open',
});

/** Opens the burn of an order's tickets, as its refund does. */
const openBurn = (order: Order) => write(insertBurn(newBurn(order)));

function awaitBurn(order: Order, status: Burn['status']): Promise<Burn> {
  return eventually(`the burn is ${status}`, async () => {
    const burn = await findBurn(order.id);
    return burn?.status === status && burn;
  });
}

const readItems = async (order: Order) => (await readTable()).filter(({ orderId }) => orderId === order.id);

const countBurnedTickets = async (order: Order) =>
  (await readItems(order)).filter(({ burnedAt }) => burnedAt).length;

async function countBurnNonces(order: Order): Promise<number> {
  return (await readTable()).filter(({ burnOf }) => burnOf === order.id).length;
}

describe('burning', () => {
  it('an order of the largest size takes one transaction', async () => {
    const order = await buyMintedOrder(maximumOrderTickets);
    await openBurn(order);
    await awaitBurn(order, 'done');
    expect(await countBurnedTickets(order)).toBe(maximumOrderTickets);
    expect(await countBurnNonces(order)).toBe(1);
  }, 120_000);

  it('an order of 1,300 tickets, sold before orders had a limit, takes three transactions, each with a nonce', async () => {
    const order = await buyMintedOrder(1_300);
    const before = Number(await callContract('balanceOf', walletOf(order)));
    await openBurn(order);
    await awaitBurn(order, 'done');
    expect(await countBurnedTickets(order)).toBe(1_300);
    expect(await countBurnNonces(order)).toBe(3);
    expect(before - Number(await callContract('balanceOf', walletOf(order)))).toBe(1_300);
  }, 120_000);

  it('fails without the burner role, and is retried when the refund is requested again', async () => {
    const order = await buyMintedOrder(2);
    await changeBurnerRole('revokeRole');
    await openBurn(order);
    await awaitBurn(order, 'failed');
    await changeBurnerRole('grantRole');
    const requestedAt = new Date().toISOString();
    const refund = { status: 'done', amount: 0, attempts: 0, dueAt: requestedAt, at: requestedAt };
    await write(update(keys.order(order.id), { set: { refund, fulfilmentStatus: 'refund-due' } }));
    await requestRefund(admin, order.id);
    await awaitBurn(order, 'done');
    expect(await countBurnedTickets(order)).toBe(2);
  });

  it('gets another nonce when its first nonce is cancelled because no node accepts the transaction', async () => {
    const order = await buyMintedOrder(2);
    const account = { chainId: scenario.world.node.chainId, signer: scenario.world.minters[0] ?? '' };
    const nonce = (await findNextNonce(account)) ?? 0;
    const first = firstTokenId(deriveOrderKey(account.chainId, scenario.world.contract, order.id));
    const raw = await (await findMinter(account.signer))?.sign({
      chainId: account.chainId,
      nonce,
      to: scenario.world.contract,
      data: encodeBurn(walletOf(order), [first, first + 1n]),
      gasLimit: 26_000_000n,
      maxFeePerGas: 20n * 10n ** 9n,
      maxPriorityFeePerGas: 10n ** 9n,
    });
    const attempts = [{ raw: raw ?? '', at: Date.now() }];
    const burn = newBurn(order);
    const { contract } = scenario.world;
    const transaction = { ...account, nonce, contract, orderIds: [], burnOf: order.id, attempts };
    // Not `openBurn`, which also schedules the burn: the worker could bind it to another nonce first.
    await write(update(keys.burn(order.id), { set: { ...burn } }));
    const isFirstNonce = false;
    await transact([
      advanceNonce(transaction, isFirstNonce),
      insertMintTransaction(transaction),
      bindBurn(burn, { signer: account.signer, nonce }),
    ]);
    // The account's next nonce makes the worker check the earlier nonces.
    await buyMintedOrder(1);
    expect(await awaitBurn(order, 'done')).toMatchObject({ cancellations: 1 });
    expect(await countBurnedTickets(order)).toBe(2);
  });

  it('fails for a contract that is not the ticket contract', async () => {
    const order = await buyMintedOrder(1);
    await write(insertBurn({ ...newBurn(order), contract: developmentWallet(7).address }));
    await awaitBurn(order, 'failed');
    expect(await countBurnNonces(order)).toBe(0);
  });
});

describe('an order sold before orders had a limit', () => {
  it('fails with a reason when it has 5,001 tickets', async () => {
    const [order] = await scenario.awaitFulfilment(await scenario.buy(1, () => 5_001));
    expect(order).toMatchObject({
      fulfilmentStatus: 'failed',
      fulfilmentReason: 'contract-refused',
      fulfilmentMessage: 'The contract does not mint 5001 tickets in one order',
    });
  });
});
