import { Transaction } from 'ethers/transaction';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { sendMessage } from '../../../shared/runtime/queue.ts';
import { eventually } from '../../support/eventually.ts';
import type { Call, Fault } from '../../support/fault-proxy.ts';
import {
  dropTransaction,
  hideReceipts,
  loseSendAnswer,
  nodesDown,
  offersTenPercentMore,
  onMethod,
  requireTenPercentMore,
  rpcError,
  shiftNonce,
} from './rpc-faults.ts';
import { Scenario } from './scenario.ts';
import { onFirst } from './table-faults.ts';

const blocksPerSecond = 4;
/** The number of loops that poll the mint queue in each worker process. */
const pollers = 2;
const outageSweeps = 30;

let scenario: Scenario;
const removals: (() => void)[] = [];

/** Adds a fault until the end of the test. @returns a function that removes it earlier */
function inject(fault: Fault): () => void {
  const remove = scenario.world.intercept(fault);
  removals.push(remove);
  return remove;
}

const isSend = ({ method }: Call) => method === 'eth_sendRawTransaction';
const isMined = async ({ blockchainTxHash }: Order) =>
  (await scenario.world.node.call('eth_getTransactionReceipt', blockchainTxHash)) !== null;
/** Stops mining blocks, and drops the block of a minted order, which is final. */
async function dropFinalBlock({ blockchainTxHash }: Order): Promise<void> {
  const { node } = scenario.world;
  await node.setBlocksPerSecond(0);
  const receipt = await node.call<{ blockNumber: string }>('eth_getTransactionReceipt', blockchainTxHash);
  const latest = Number(await node.call<string>('eth_blockNumber'));
  // 12 blocks suffice, unless a slow machine has mined more since.
  await node.reorganise(Math.max(12, latest - Number(receipt.blockNumber) + 1));
}

const isReplaced = async (order: Order) => (await scenario.getTransaction(order)).attempts.length > 1;

/** Buys an order whose transaction is pending, and stops mining blocks. */
async function buyWithPendingMint(): Promise<Order> {
  await scenario.world.node.setBlocksPerSecond(0);
  const [order] = await scenario.buy(1);
  if (!order) throw new Error('Nothing bought');
  await scenario.awaitOrders([order], ({ fulfilmentStatus }) => fulfilmentStatus === 'minting');
  const isKnown = async () => {
    const { attempts } = await scenario.getTransaction(order);
    const transactions = await Promise.all(
      attempts.map(({ raw }) =>
        scenario.world.node.call('eth_getTransactionByHash', decodeTransaction(raw).hash),
      ),
    );
    // On a slow machine, a replacement may have been sent already. Then the node no longer has the first attempt.
    return transactions.some((transaction) => transaction !== null);
  };
  await eventually('the node has the transaction', isKnown);
  return order;
}

beforeAll(async () => {
  scenario = await Scenario.start({ sweepMilliseconds: 100 });
  scenario.world.startWorker('worker1', pollers);
  scenario.world.startSweeper();
});
afterEach(async () => {
  for (const remove of removals.splice(0)) remove();
  scenario.world.node.setBlocksPerSecond(blocksPerSecond);
  expect((await scenario.audit()).problems).toEqual([]);
});
afterAll(() => scenario?.world.stop());

describe('a paid order is minted once when', () => {
  it('the node accepts the transaction and drops the connection', async () => {
    const fault = onFirst(isSend, loseSendAnswer);
    inject(fault);
    await scenario.awaitFulfilment(await scenario.buy(1));
    expect(fault.remaining).toBe(0);
  });

  it('the node drops the transaction', async () => {
    const fault = onFirst(isSend, dropTransaction);
    inject(fault);
    await scenario.awaitFulfilment(await scenario.buy(1));
    expect(fault.remaining).toBe(0);
  });

  it('eth_blockNumber fails while the transaction is broadcast', async () => {
    const removeFault = inject(onMethod('eth_blockNumber', async () => rpcError('overloaded')));
    const [order] = await scenario.buy(1);
    const isTransactionMined = async () => {
      const { raw } = (await scenario.getTransaction(order as Order)).attempts[0] ?? { raw: '' };
      return (
        (await scenario.world.node.call('eth_getTransactionReceipt', decodeTransaction(raw).hash)) !== null
      );
    };
    await scenario.awaitOrders([order as Order], ({ mint }) => mint !== undefined);
    await eventually('the transaction is mined', isTransactionMined);
    removeFault();
    await scenario.awaitFulfilment([order as Order]);
  });

  it(`all nodes are down for ${outageSweeps} sweeps`, async () => {
    const pendingOrder = await buyWithPendingMint();
    let [calls, sweeps] = [0, 0];
    const removeFault = inject((call, forward) => {
      calls += call.target === 'a' ? 1 : 0;
      return nodesDown(call, forward);
    });
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    const waitingOrders = await scenario.buy(5);
    const unsubscribe = scenario.world.onSweep(() => sweeps++);
    const areDone = () => sweeps > outageSweeps && calls > outageSweeps;
    await eventually('the sweeps are done, and the workers have called the nodes as often', areDone);
    unsubscribe();
    expect((await scenario.audit()).deadLetters).toEqual([]);
    removeFault();
    await scenario.awaitFulfilment([pendingOrder, ...waitingOrders]);
  });

  it('the node never returns a receipt', async () => {
    let receiptRequests = 0;
    inject((call, forward) => {
      receiptRequests += call.method === 'eth_getTransactionReceipt' ? 1 : 0;
      return hideReceipts(call, forward);
    });
    await scenario.awaitFulfilment(await scenario.buy(2));
    expect(receiptRequests).toBeGreaterThan(0);
  });

  it('the node reports too many transactions of the account, then too few', async () => {
    const pendingOrder = await buyWithPendingMint();
    for (const difference of [7, -2]) {
      const fault = onFirst(({ method }) => method === 'eth_getTransactionCount', shiftNonce(difference), 5);
      inject(fault);
      await eventually('five wrong counts are returned', () => fault.remaining === 0);
    }
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    await scenario.awaitFulfilment([pendingOrder]);
  });

  it('gas prices rise, and the node requires 10 % higher fees for a replacement', async () => {
    const fault = requireTenPercentMore(scenario.world.node);
    inject(fault);
    const order = await buyWithPendingMint();
    await scenario.world.node.setBaseFee(100n * 10n ** 9n);
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    await scenario.awaitFulfilment([order]);
    expect(fault.replaced).toBeGreaterThan(0);
    // A concurrent check may send an older attempt again, which the node refuses. So the attempts themselves count.
    const attempts = (await scenario.getTransaction(order)).attempts.map(({ raw }) => Transaction.from(raw));
    const replacements = attempts.slice(1);
    expect(replacements).not.toEqual([]);
    for (const [index, replacement] of replacements.entries())
      expect(offersTenPercentMore(attempts[index] as Transaction, replacement)).toBe(true);
  });

  it('the original is mined just before its replacement arrives', async () => {
    let original: string | undefined;
    // Injected first, since a slow machine may replace the transaction before the purchase has returned.
    inject(
      onFirst(
        (call) => {
          if (isSend(call)) original ??= call.body.params[0];
          return isSend(call) && call.body.params[0] !== original;
        },
        async (_call, forward) => {
          await scenario.world.node.mine();
          return forward();
        },
      ),
    );
    const order = await buyWithPendingMint();
    await eventually('the transaction is replaced', () => isReplaced(order));
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    const [mintedOrder] = await scenario.awaitFulfilment([order]);
    expect(mintedOrder?.blockchainTxHash).toBe(decodeTransaction(original ?? '').hash);
  });

  it('a reorganisation drops its block before it is final', async () => {
    const order = await buyWithPendingMint();
    await scenario.world.node.mine(2);
    await scenario.world.node.reorganise(2);
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    await scenario.awaitFulfilment([order]);
  });

  it('a reorganisation drops its block after it is final, and later orders are minted', async () => {
    const mintedOrders = await scenario.awaitFulfilment(await scenario.buy(1));
    await dropFinalBlock(mintedOrders[0] as Order);
    expect(await isMined(mintedOrders[0] as Order)).toBe(false);
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    const laterOrders = await scenario.awaitFulfilment(await scenario.buy(2));
    expect(laterOrders.every(({ fulfilmentStatus }) => fulfilmentStatus === 'minted')).toBe(true);
    const ordersAfter = await scenario.readOrders(mintedOrders);
    expect(ordersAfter.map(({ blockchainTxHash }) => blockchainTxHash)).toEqual(
      mintedOrders.map(({ blockchainTxHash }) => blockchainTxHash),
    );
  });

  it('a reorganisation drops its block after it is final, and no later order is minted', async () => {
    const [order] = (await scenario.awaitFulfilment(await scenario.buy(1))) as [Order];
    const transaction = await scenario.getTransaction(order);
    await dropFinalBlock(order);
    expect(await isMined(order)).toBe(false);
    scenario.world.node.setBlocksPerSecond(blocksPerSecond);
    // The check that otherwise follows 15 minutes after a final mint.
    const { chainId, signer, nonce } = transaction;
    await sendMessage('mint-tickets', { type: 'check-nonce', chainId, signer, nonce });
    await eventually('the transaction is mined again', () => isMined(order));
  });
});
