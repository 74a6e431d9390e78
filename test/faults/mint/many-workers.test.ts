import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scenario } from './scenario.ts';

const orders = 200;
const processes = 5;
const workersEach = 10;

let scenario: Scenario;

beforeAll(async () => {
  // Sweeps more often than the orders are minted would only add messages for each of them.
  scenario = await Scenario.start({ sweepMilliseconds: 15_000 });
});
afterAll(() => scenario?.world.stop());

it(`${processes * workersEach} workers mint ${orders} orders in one lane without a gap or a duplicate nonce`, async () => {
  for (let at = 1; at <= processes; at++) scenario.world.startWorker(`worker${at}`, workersEach);
  scenario.world.startSweeper();
  await scenario.settled(await scenario.buy(orders, (index) => 1 + (index % 3)), 240);
  expect(await scenario.audit()).toMatchObject({ minted: orders, deadLetters: [], problems: [] });
});
