import { Interface } from 'ethers/abi';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { deriveOrderKey } from '../../../shared/chain/contract-calls.ts';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import { transition } from '../../../shared/core/state-machine.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { update, write } from '../../../shared/dynamo/write.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import { fulfilment } from '../../../shared/orders/lifecycle.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { transitionOrder, writeOrder } from '../../../shared/orders/store.ts';
import { eventually } from '../../support/eventually.ts';
import { Scenario } from './scenario.ts';
import { authorizeContract, pay, placeOrder } from './shop.ts';

const blocksPerSecond = 4;
const zeroAddress = `0x${'0'.repeat(40)}`;
const admin = { userId: 'admin', role: 'ADMIN', sessionId: 's' } as never;
const roles = new Interface([
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function MINTER_ROLE() view returns (bytes32)',
]);

let scenario: Scenario;

beforeAll(async () => {
  scenario = await Scenario.start({ sweepMilliseconds: 500 });
  scenario.world.startWorker('worker1', 2);
  scenario.world.startSweeper();
});
afterEach(() => scenario.world.node.setBlocksPerSecond(blocksPerSecond));
afterAll(() => scenario?.world.stop());

const setWallet = (userId: string, walletAddress: string) =>
  write(update(keys.user(userId), { set: { walletAddress } }));

/** Grants or revokes the minter role in a transaction that is mined before the pending ones. */
async function changeMinterRole(change: 'grantRole' | 'revokeRole'): Promise<void> {
  const [minter] = scenario.world.minters;
  const { contract: to, node } = scenario.world;
  const role = await node.call<string>(
    'eth_call',
    { to, data: roles.encodeFunctionData('MINTER_ROLE') },
    'latest',
  );
  const data = roles.encodeFunctionData(change, [role, minter]);
  const fees = { maxFeePerGas: '0x4a817c8000', maxPriorityFeePerGas: '0x174876e800' };
  const from = developmentWallet(0).address;
  const hash = await node.call<string>('eth_sendTransaction', { from, to, data, gas: '0x30d40', ...fees });
  await node.mine();
  const receipt = await node.call<{ status: string }>('eth_getTransactionReceipt', hash);
  expect(receipt.status).toBe('0x1');
}

/** Stops mining blocks, and buys orders whose mint stays pending. */
async function buyWithPendingMint(count: number): Promise<Order[]> {
  await scenario.world.node.setBlocksPerSecond(0);
  const orders = await scenario.buy(count);
  return scenario.awaitOrders(orders, ({ fulfilmentStatus }) => fulfilmentStatus === 'minting');
}

describe('an order that can’t be minted', () => {
  it('fails with a reason, and the other orders of its batch are minted', async () => {
    const placed = await Promise.all([0, 1, 2].map((index) => placeOrder(scenario.shop, index, 1)));
    const [first, unmintable, last] = placed as [Order, Order, Order];
    const wallet = developmentWallet(51).address;
    await setWallet(unmintable.userId, zeroAddress);
    await Promise.all(placed.map(pay));
    const [, failedOrder] = await scenario.awaitFulfilment(placed);
    expect(failedOrder).toMatchObject({
      fulfilmentStatus: 'failed',
      fulfilmentReason: 'contract-refused',
      fulfilmentMessage: `The contract does not mint to the wallet ${zeroAddress}`,
      paymentStatus: 'COMPLETED',
    });
    expect(
      (await scenario.readOrders([first, last])).map(({ fulfilmentStatus }) => fulfilmentStatus),
    ).toEqual(['minted', 'minted']);

    await setWallet(unmintable.userId, wallet);
    await requestFulfilment(admin, unmintable.id);
    await scenario.awaitFulfilment([unmintable]);
    scenario.orders.push(...placed);
    expect((await scenario.audit()).problems).toEqual([]);
  });

  it('fails when its transaction reverts, and is minted on request once the cause is fixed', async () => {
    const orders = await buyWithPendingMint(3);
    await changeMinterRole('revokeRole');
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    const failedOrders = await scenario.awaitFulfilment(orders);
    const reason = `The contract ${scenario.world.contract} does not allow us to mint. Grant its MINTER_ROLE to ${scenario.world.minters[0]}`;
    for (const order of failedOrders) {
      expect(order).toMatchObject({ fulfilmentStatus: 'failed', paymentStatus: 'COMPLETED' });
      expect([reason, `The contract ${scenario.world.contract} did not mint the tickets`]).toContain(
        order.fulfilmentMessage,
      );
      expect(order.mint).toBeUndefined();
    }
    scenario.world.node.setBlocksPerSecond(0);
    await changeMinterRole('grantRole');
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    for (const { id } of orders) await requestFulfilment(admin, id);
    const mintedOrders = await scenario.awaitFulfilment(orders);
    expect(mintedOrders.every(({ fulfilmentStatus }) => fulfilmentStatus === 'minted')).toBe(true);
  });

  it.each([
    [
      'the event’s chain is not set up',
      { chainId: 424242 },
      'chain-not-configured',
      'Chain 424242 is not set up for minting',
    ],
    [
      'the event’s contract address has no contract',
      { contractAddress: developmentWallet(7).address },
      'contract-unknown',
      `${developmentWallet(7).address} on Development does not have the code of the ticket contract`,
    ],
  ])(
    'fails because %s, and is minted on request once that is fixed',
    async (_cause, invalidFields, code, message) => {
      const event = keys.event(scenario.shop.eventId);
      const { contract } = scenario.world;
      const target = { chainId: scenario.world.node.chainId, contractAddress: contract, ...invalidFields };
      await authorizeContract(target.chainId, target.contractAddress);
      await write(update(event, { set: invalidFields }));
      const orders = await scenario.buy(1);
      const [failedOrder] = await scenario.awaitFulfilment(orders);
      expect(failedOrder).toMatchObject({
        fulfilmentStatus: 'failed',
        fulfilmentReason: code,
        fulfilmentMessage: message,
        paymentStatus: 'COMPLETED',
      });
      const validFields = { chainId: scenario.world.node.chainId, contractAddress: scenario.world.contract };
      await write(update(event, { set: validFields }));
      await requestFulfilment(admin, failedOrder?.id ?? '');
      const [mintedOrder] = await scenario.awaitFulfilment(orders);
      expect(mintedOrder?.fulfilmentStatus).toBe('minted');
    },
  );

  it('has its nonce cancelled when a refund is due, and later orders are minted', async () => {
    const [refundDue] = (await buyWithPendingMint(1)) as [Order];
    // The audit expects every order in `scenario.orders` to be minted.
    scenario.orders.pop();
    const cancelled = transition(fulfilment, 'cancelEvent', {
      fulfilmentReason: 'event-cancelled',
      isPosted: true,
    });
    await writeOrder(
      transitionOrder(refundDue.id, [cancelled], new Date().toISOString(), { nextDueAt: 'never' }),
    );
    const isCancelled = async () => {
      const { attempts } = await scenario.getTransaction(refundDue);
      const { data, hash } = decodeTransaction(attempts.at(-1)?.raw ?? '');
      // The cancellation is stored before the node has it. Until then, the next block would still mint the tickets.
      return data === '0x' && (await scenario.world.node.call('eth_getTransactionByHash', hash)) !== null;
    };
    await eventually('the node has the cancellation of the nonce', isCancelled);
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    const [laterOrder] = await scenario.awaitFulfilment(await scenario.buy(1));
    expect(laterOrder?.fulfilmentStatus).toBe('minted');
    const [refundDueAfter] = await scenario.readOrders([refundDue]);
    expect(refundDueAfter?.fulfilmentStatus).toBe('refund-due');
    const abi = new Interface(['function mintedQuantity(bytes32) view returns (uint256)']);
    const key = deriveOrderKey(scenario.world.node.chainId, scenario.world.contract, refundDue.id);
    const data = abi.encodeFunctionData('mintedQuantity', [key]);
    expect(
      Number(await scenario.world.node.call('eth_call', { to: scenario.world.contract, data }, 'latest')),
    ).toBe(0);
  });
});
