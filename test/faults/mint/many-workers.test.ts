import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scenario } from './scenario.ts';

const orderCount = 200;
const processCount = 5;
const workersPerProcess = 10;
const timeoutSeconds = 240;

let scenario: Scenario;

beforeAll(async () => {
  // With a shorter interval, sweeps would only add messages for orders that are being minted.
  scenario = await Scenario.start({ sweepMilliseconds: 15_000 });
});
afterAll(() => scenario?.world.stop());

it(`${processCount * workersPerProcess} workers mint ${orderCount} orders from one account without a gap or a duplicate in its nonces`, async () => {
  for (let index = 1; index <= processCount; index++)
    scenario.world.startWorker(`worker${index}`, workersPerProcess);
  scenario.world.startSweeper();
  const ticketQuantity = (index: number) => 1 + (index % 3);
  const orders = await scenario.buy(orderCount, ticketQuantity);
  await scenario.awaitFulfilment(orders, timeoutSeconds);
  expect(await scenario.audit()).toMatchObject({ minted: orderCount, deadLetters: [], problems: [] });
});
