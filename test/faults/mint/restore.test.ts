import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendMessage } from '../../../shared/runtime/queue.ts';
import { Scenario } from './scenario.ts';
import { readTable, restoreTable } from './table-backup.ts';

let scenario: Scenario;

beforeEach(async () => {
  scenario = await Scenario.start({ sweepMilliseconds: 500, bumpSeconds: 1 });
});
afterEach(() => scenario?.world.stop());

describe('a table restored from a backup taken before a mint', () => {
  it('rebuilds the tickets without minting again, and mints new orders', async () => {
    const quantityOf = (index: number) => index + 1;
    const orders = await scenario.buy(3, quantityOf);
    const backup = await readTable();
    scenario.world.startWorker('worker1', 2);
    const mintedOrders = await scenario.awaitFulfilment(orders);
    const { transactions } = await scenario.audit();

    await restoreTable(backup);
    const restoredOrders = await scenario.readOrders(orders);
    expect(restoredOrders.map(({ fulfilmentStatus }) => fulfilmentStatus)).toEqual([
      'queued',
      'queued',
      'queued',
    ]);
    for (const { id: orderId, eventId, userId } of orders)
      await sendMessage('fulfil-orders', { type: 'fulfil-order', orderId, eventId, userId });
    const rebuiltOrders = await scenario.awaitFulfilment(orders);
    const audit = await scenario.audit();
    expect(audit.transactions).toBe(transactions);
    expect(audit.problems.filter((problem) => !problem.includes('was never stored'))).toEqual([]);
    expect(rebuiltOrders.map(({ blockchainTxHash }) => blockchainTxHash)).toEqual(
      mintedOrders.map(({ blockchainTxHash }) => blockchainTxHash),
    );

    // The restored table has no nonce of the minting account, so its next nonce is read from the chain.
    scenario.world.startSweeper();
    const laterOrders = await scenario.awaitFulfilment(await scenario.buy(2));
    expect(laterOrders.map(({ fulfilmentStatus }) => fulfilmentStatus)).toEqual(['minted', 'minted']);
    const { overMinted, lost, tokens, tickets } = await scenario.audit();
    expect({ overMinted, lost, tokens }).toEqual({ overMinted: 0, lost: 0, tokens: tickets });
  });
});
