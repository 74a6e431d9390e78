import { afterAll, beforeAll, expect, it } from 'vitest';
import { Drama } from './drama.ts';

/** Write units that minting may cost an order of two tickets, beyond its payment. */
const budget = 14;

let drama: Drama;

beforeAll(async () => {
  drama = await Drama.start();
  drama.world.startWorker('worker1');
});
afterAll(() => drama?.world.stop());

it(`minting an order of two tickets by itself costs ${budget} write units at most`, async () => {
  let units = 0;
  drama.world.add(async (call, forward) => {
    const isWrite = ['PutItem', 'UpdateItem', 'TransactWriteItems'].includes(call.method);
    const isBooking = JSON.stringify(call.body).includes('#isBooked');
    if (!isWrite || isBooking) return forward();
    const answer = await forward();
    if (answer !== 'drop') {
      for (const used of [answer.body.ConsumedCapacity ?? []].flat()) units += used.CapacityUnits;
    }
    return answer;
  });
  // Asked to be told, before the request goes out.
  drama.world.add((call, forward) => {
    if (call.target === 'table') call.body.ReturnConsumedCapacity = 'INDEXES';
    return forward();
  });
  const [order] = await drama.settled(await drama.buy(1, () => 2));
  expect(order?.fulfilmentStatus).toBe('minted');
  expect(units).toBeGreaterThan(0);
  expect(units).toBeLessThanOrEqual(budget);
});
