import { Interface } from 'ethers/abi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstTokenId, orderKey } from '../../../shared/chain/contract-calls.ts';
import { ticketContractAbi } from '../../../shared/chain/ticket-contract.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { Drama } from './drama.ts';
import { forget, on, result } from './rpc-faults.ts';

/** How long a lie is kept up: time for several checks. */
const lieMilliseconds = 5_000;

let drama: Drama;

beforeAll(async () => {
  drama = await Drama.start({ nodes: ['honest', 'liar'], sweepMilliseconds: 500 });
  drama.world.startWorker('worker1', 2);
  drama.world.startSweeper();
});
afterAll(() => drama?.world.stop());

/** What the liar says of a transaction that was mined long ago, with this outcome. */
function fakeReceipt(order: Order, status: '0x0' | '0x1') {
  const { chainId } = drama.world.node;
  const { contract } = drama.world;
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
  const topics = [
    new Interface(ticketContractAbi).getEvent('Transfer')?.topicHash,
    word(0n),
    word(0xbeefn),
    word(firstTokenId(orderKey(chainId, contract, order.id))),
  ];
  const place = { blockNumber: '0x1', blockHash: word(1n), transactionHash: word(2n) };
  const log = { address: contract, topics, ...place };
  return { status, ...place, logs: status === '0x1' ? [log] : [] };
}

describe('of two nodes, one', () => {
  it('fakes a success: nothing is taken for minted (14)', async () => {
    const endForget = drama.world.add(forget);
    const [order] = (await drama.buy(1)) as [Order];
    await drama.until([order], ({ mint }) => mint !== undefined);
    let asked = 0;
    const endLie = drama.world.add(
      on('eth_getTransactionReceipt', async ({ target }, forward) => {
        if (target !== 'liar') return forward();
        asked++;
        return result(fakeReceipt(order, '0x1'));
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, lieMilliseconds));
    const [lied] = await drama.read([order]);
    expect(lied?.fulfilmentStatus).toBe('minting');
    expect(asked).toBeGreaterThan(1);
    endForget();
    // What is true gets through, although the lie goes on: the honest node misses it, so it is sent again.
    await expect.poll(async () => (await drama.audit()).tokens, { timeout: 10_000 }).toBe(1);
    endLie();
    await drama.settled([order]);
    expect((await drama.audit()).problems).toEqual([]);
  });

  it('fakes a failure: nothing is given up (14)', async () => {
    let asked = 0;
    const orders: Order[] = [];
    const end = drama.world.add(
      on('eth_getTransactionReceipt', async ({ target }, forward) => {
        if (target !== 'liar') return forward();
        asked++;
        return result(fakeReceipt(orders[0] as Order, '0x0'));
      }),
    );
    orders.push(...(await drama.buy(1)));
    await new Promise((resolve) => setTimeout(resolve, lieMilliseconds));
    const [lied] = await drama.read(orders);
    expect(lied?.fulfilmentStatus).toBe('minting');
    expect(asked).toBeGreaterThan(1);
    end();
    await drama.settled(orders);
    expect((await drama.audit()).problems).toEqual([]);
  });

  it('refuses what the contract would mint: it is minted', async () => {
    const end = drama.world.add(
      on('eth_estimateGas', async ({ target }, forward) =>
        target === 'honest'
          ? {
              status: 200,
              body: { jsonrpc: '2.0', id: 1, error: { code: 3, message: 'execution reverted', data: '0x' } },
            }
          : forward(),
      ),
    );
    const [order] = await drama.settled(await drama.buy(1));
    expect(order?.fulfilmentStatus).toBe('minted');
    end();
  });
});
