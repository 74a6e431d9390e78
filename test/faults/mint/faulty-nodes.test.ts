import { Interface } from 'ethers/abi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveOrderKey, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { ticketContractAbi } from '../../../shared/chain/ticket-contract.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { eventually } from '../../support/eventually.ts';
import { dropTransaction, onMethod, rpcResult } from './rpc-faults.ts';
import { Scenario } from './scenario.ts';

/** The number of receipts that the faulty node forges before the test checks the order. */
const minimumForgeries = 4;

let scenario: Scenario;

beforeAll(async () => {
  scenario = await Scenario.start({ nodes: ['honest', 'faulty'], sweepMilliseconds: 500 });
  scenario.world.startWorker('worker1', 2);
  scenario.world.startSweeper();
});
afterAll(() => scenario?.world.stop());

/** Forges a receipt of the order's transaction in an early block. */
function forgeReceipt(order: Order, status: '0x0' | '0x1') {
  const { chainId } = scenario.world.node;
  const { contract } = scenario.world;
  const toWord = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
  const topics = [
    new Interface(ticketContractAbi).getEvent('Transfer')?.topicHash,
    toWord(0n),
    toWord(0xbeefn),
    toWord(firstTokenId(deriveOrderKey(chainId, contract, order.id))),
  ];
  const place = { blockNumber: '0x1', blockHash: toWord(1n), transactionHash: toWord(2n) };
  const log = { address: contract, topics, ...place };
  return { status, ...place, logs: status === '0x1' ? [log] : [] };
}

describe('when one of two nodes', () => {
  it('forges a successful receipt, the order stays `minting` until the other node has a receipt, too', async () => {
    const removeDrop = scenario.world.intercept(dropTransaction);
    const [order] = (await scenario.buy(1)) as [Order];
    await scenario.awaitOrders([order], ({ mint }) => mint !== undefined);
    let forgeries = 0;
    const removeForgery = scenario.world.intercept(
      onMethod('eth_getTransactionReceipt', async ({ target }, forward) => {
        if (target !== 'faulty') return forward();
        forgeries++;
        return rpcResult(forgeReceipt(order, '0x1'));
      }),
    );
    await eventually('several receipts are forged', () => forgeries >= minimumForgeries);
    const [unaffected] = await scenario.readOrders([order]);
    expect(unaffected?.fulfilmentStatus).toBe('minting');
    expect(forgeries).toBeGreaterThanOrEqual(minimumForgeries);
    removeDrop();
    // Receipts are still forged, but the honest node does not have the transaction, so the worker rebroadcasts it.
    const tokens = () => scenario.audit().then((audit) => audit.tokens);
    expect(await eventually('the transaction is mined', tokens)).toBe(1);
    removeForgery();
    await scenario.awaitFulfilment([order]);
    expect((await scenario.audit()).problems).toEqual([]);
  });

  it('forges a failed receipt, the order is still minted', async () => {
    let forgeries = 0;
    const orders: Order[] = [];
    const removeFault = scenario.world.intercept(
      onMethod('eth_getTransactionReceipt', async ({ target }, forward) => {
        if (target !== 'faulty') return forward();
        forgeries++;
        return rpcResult(forgeReceipt(orders[0] as Order, '0x0'));
      }),
    );
    orders.push(...(await scenario.buy(1)));
    await eventually('several receipts are forged', () => forgeries >= minimumForgeries);
    const [unaffected] = await scenario.readOrders(orders);
    expect(unaffected?.fulfilmentStatus).toBe('minting');
    expect(forgeries).toBeGreaterThanOrEqual(minimumForgeries);
    removeFault();
    await scenario.awaitFulfilment(orders);
    expect((await scenario.audit()).problems).toEqual([]);
  });

  it('refuses the gas estimate, the order is still minted', async () => {
    // The workers ask this node first.
    const removeFault = scenario.world.intercept(
      onMethod('eth_estimateGas', async ({ target }, forward) =>
        target === 'honest'
          ? {
              status: 200,
              body: { jsonrpc: '2.0', id: 1, error: { code: 3, message: 'execution reverted', data: '0x' } },
            }
          : forward(),
      ),
    );
    const [order] = await scenario.awaitFulfilment(await scenario.buy(1));
    expect(order?.fulfilmentStatus).toBe('minted');
    removeFault();
  });
});
