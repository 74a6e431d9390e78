import { afterAll, beforeAll, expect, it } from 'vitest';
import { findNextNonce, listNonces } from '../../../shared/nft/nonce/store.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { onMethod, rpcError } from './rpc-faults.ts';
import { Scenario } from './scenario.ts';
import { pay, placeOrder } from './shop.ts';
import { readTable, restoreTable } from './table-backup.ts';

let scenario: Scenario;

beforeAll(async () => {
  scenario = await Scenario.start({ sweepMilliseconds: 500, bumpSeconds: 0.5 });
  scenario.world.startWorker('worker1', 2);
});
afterAll(() => scenario?.world.stop());

async function placeOrders(count: number): Promise<Order[]> {
  const orders = await Promise.all(
    Array.from({ length: count }, (_, index) => placeOrder(scenario.shop, index, 1)),
  );
  scenario.orders.push(...orders);
  return orders;
}

/** Pays the orders one after the other, so that each gets a nonce of its own. */
async function payOneByOne(orders: readonly Order[]): Promise<void> {
  for (const order of orders) {
    await pay(order);
    await scenario.awaitOrders([order], ({ mint }) => mint !== undefined);
  }
}

it('a minting account whose next nonce is restored to a used one mints every order once, without trying each used nonce', async () => {
  const { node, minters } = scenario.world;
  const account = { chainId: node.chainId, signer: minters[0] as string };
  await scenario.awaitFulfilment(await scenario.buy(1));
  const pendingOrders = await placeOrders(6);
  const backup = await readTable();
  await payOneByOne(pendingOrders);
  const mintedOrders = await scenario.awaitFulfilment(pendingOrders);

  await restoreTable(backup);
  expect(await findNextNonce(account)).toBe(1);
  scenario.world.startSweeper();
  const newOrders = await placeOrders(2);
  // No check ends before both new orders have tried a used nonce. Otherwise a slow machine could raise the account's next
  // nonce before the second order is paid.
  const removeFault = scenario.world.intercept(
    onMethod('eth_blockNumber', async () => rpcError('overloaded')),
  );
  await payOneByOne(newOrders);
  removeFault();
  // The orders are PENDING again, and their gateway redelivers its webhooks.
  await Promise.all(pendingOrders.map(pay));
  const rebuiltOrders = await scenario.awaitFulfilment(pendingOrders);
  expect(rebuiltOrders.map(({ blockchainTxHash }) => blockchainTxHash)).toEqual(
    mintedOrders.map(({ blockchainTxHash }) => blockchainTxHash),
  );
  await scenario.awaitFulfilment(newOrders);
  // The new orders tried nonces 1 and 2. Then the account's next nonce was raised above 6, the last used one.
  expect(await listNonces(account, 0, 6)).toEqual([2, 1, 0]);

  const nextNonce = (await findNextNonce(account)) as number;
  const [laterOrder] = await scenario.awaitFulfilment(await scenario.buy(1));
  expect(laterOrder?.mint?.nonce).toBe(nextNonce);
  const audit = await scenario.audit();
  expect(audit).toMatchObject({ minted: 10, tickets: 10, tokens: 10, records: 10, deadLetters: [] });
  expect(audit.transactions).toBe(nextNonce + 1);
  // The backup lacks the nonces of the later mints, and each of the new orders was bound to two nonces.
  const expectedProblem = /was never stored$|no record of nonces 3,4,5,6$|: nonces [12] and \d+$/;
  expect(audit.problems.filter((problem) => !expectedProblem.test(problem))).toEqual([]);
});
