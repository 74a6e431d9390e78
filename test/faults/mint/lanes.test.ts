import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Drama } from './drama.ts';
import { nonceOff } from './rpc-faults.ts';

let drama: Drama;

beforeAll(async () => {
  drama = await Drama.start({ lanes: 3, sweepMilliseconds: 500, bumpSeconds: 1 });
  drama.world.startWorker('worker1', 3);
});
afterAll(() => drama?.world.stop());

describe('several lanes', () => {
  it('fill the gap below a first nonce that a node named too high', async () => {
    const end = drama.world.add(nonceOff(4));
    const orders = await drama.buy(1);
    await drama.until(orders, ({ mint }) => mint?.nonce === 4);
    end();
    drama.world.startSweeper();
    await drama.settled(orders);
    expect(await drama.audit()).toMatchObject({ minted: 1, transactions: 5, problems: [] });
  });

  it('share the orders, and each order stays on its own', async () => {
    // A batch goes to one lane, chosen by hash: several in a row may well get the same.
    const signers = new Set<string | undefined>();
    for (let batch = 0; batch < 12 && signers.size < 2; batch++) {
      for (const { mint } of await drama.settled(await drama.buy(10))) signers.add(mint?.signer);
    }
    expect(signers.size).toBeGreaterThan(1);
    expect((await drama.audit()).problems).toEqual([]);
  });
});
