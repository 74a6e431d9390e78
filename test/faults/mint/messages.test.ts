import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mintTickets } from '../../../shared/nft/minting/mint-tickets.ts';
import { eventually } from '../../support/eventually.ts';
import { Scenario } from './scenario.ts';

/** Longer than a DynamoDB key may be, so that reads are refused. */
const unreadableId = 'x'.repeat(3_000);

let scenario: Scenario;

// No worker is started: the messages are handled in this process.
beforeAll(async () => {
  scenario = await Scenario.start();
  vi.stubEnv(`CHAIN_${scenario.world.node.chainId}_RPC_URLS`, scenario.world.node.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await scenario?.world.stop();
});

describe('a batch of mint messages', () => {
  it('returns the index of only the message that failed', async () => {
    const [first, second] = await scenario.buy(2);
    const failedIndexes = await mintTickets([
      { type: 'mint-order', orderId: first?.id ?? '' },
      { type: 'burn', burnOrderId: unreadableId },
      { type: 'mint-order', orderId: second?.id ?? '' },
      { type: 'check-nonce', chainId: scenario.world.node.chainId, signer: 'nobody', nonce: 0 },
    ]);
    expect(failedIndexes).toEqual([1]);
    const [firstAfter, secondAfter] = await scenario.readOrders(scenario.orders);
    expect(firstAfter).toMatchObject({ fulfilmentStatus: 'minting' });
    expect(secondAfter?.mint).toEqual(firstAfter?.mint);
  });

  it('returns the indexes of all nonce messages, and of no others, when the read of their nonces fails', async () => {
    const [order] = await scenario.buy(1);
    const unreadableNonce = {
      type: 'check-nonce' as const,
      chainId: scenario.world.node.chainId,
      signer: unreadableId,
      nonce: 0,
    };
    expect(
      await mintTickets([unreadableNonce, { type: 'mint-order', orderId: order?.id ?? '' }, unreadableNonce]),
    ).toEqual([0, 2]);
    expect((await scenario.readOrders(order ? [order] : []))[0]).toMatchObject({
      fulfilmentStatus: 'minting',
    });
  });

  it('checks the nonce of an order that has one, and records the mint', async () => {
    const before = await scenario.readOrders(scenario.orders);
    expect(before.every(({ mint }) => mint !== undefined)).toBe(true);
    await eventually('the orders are minted', async () => {
      expect(await mintTickets(before.map(({ id }) => ({ type: 'mint-order', orderId: id })))).toEqual([]);
      const orders = await scenario.readOrders(before);
      return orders.every(({ fulfilmentStatus }) => fulfilmentStatus === 'minted');
    });
    expect(await scenario.audit()).toMatchObject({
      minted: 3,
      tickets: 3,
      records: 3,
      overMinted: 0,
      lost: 0,
    });
  });
});
