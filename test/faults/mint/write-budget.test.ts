import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scenario } from './scenario.ts';

/** The maximum number of write units for minting an order of two tickets, without its payment and its posting. */
const budget = 14;

let scenario: Scenario;

beforeAll(async () => {
  // A slow machine must not replace the transaction, which would cost more writes.
  scenario = await Scenario.start({ bumpSeconds: 60 });
  scenario.world.startWorker('worker1');
});
afterAll(() => scenario?.world.stop());

it(`minting one order of two tickets costs at most ${budget} write units`, async () => {
  let units = 0;
  scenario.world.intercept(async (call, forward) => {
    const isWrite = ['PutItem', 'UpdateItem', 'BatchWriteItem', 'TransactWriteItems'].includes(call.method);
    const isPosting = JSON.stringify(call.body).includes('#isPosted');
    if (!isWrite || isPosting) return forward();
    const answer = await forward();
    if (answer !== 'drop') {
      for (const capacity of [answer.body.ConsumedCapacity ?? []].flat()) units += capacity.CapacityUnits;
    }
    return answer;
  });
  // Requests the consumed capacity with every call.
  scenario.world.intercept((call, forward) => {
    if (call.target === 'table') call.body.ReturnConsumedCapacity = 'INDEXES';
    return forward();
  });
  const [order] = await scenario.awaitFulfilment(await scenario.buy(1, () => 2));
  expect(order?.fulfilmentStatus).toBe('minted');
  expect(units).toBeGreaterThan(0);
  expect(units).toBeLessThanOrEqual(budget);
});
