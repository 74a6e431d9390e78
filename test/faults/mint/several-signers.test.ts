import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shiftNonce } from './rpc-faults.ts';
import { Scenario } from './scenario.ts';

let scenario: Scenario;

beforeAll(async () => {
  scenario = await Scenario.start({ minterCount: 3, sweepMilliseconds: 500, bumpSeconds: 1 });
  scenario.world.startWorker('worker1', 3);
});
afterAll(() => scenario?.world.stop());

describe('several signer accounts', () => {
  it('use the skipped nonces after a node has reported the next nonce too high', async () => {
    const removeFault = scenario.world.intercept(shiftNonce(4));
    const orders = await scenario.buy(1);
    await scenario.awaitOrders(orders, ({ mint }) => mint?.nonce === 4);
    removeFault();
    scenario.world.startSweeper();
    await scenario.awaitFulfilment(orders);
    expect(await scenario.audit()).toMatchObject({ minted: 1, transactions: 5, problems: [] });
  });

  it('share the orders, and mint each order once', async () => {
    // A hash selects one account for each batch, so several batches in a row may get the same account.
    const signers = new Set<string | undefined>();
    for (let batch = 0; batch < 12 && signers.size < 2; batch++) {
      for (const { mint } of await scenario.awaitFulfilment(await scenario.buy(10)))
        signers.add(mint?.signer);
    }
    expect(signers.size).toBeGreaterThan(1);
    expect((await scenario.audit()).problems).toEqual([]);
  });
});
