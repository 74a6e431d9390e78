import { afterAll, beforeAll, expect, it } from 'vitest';
import { Drama } from './drama.ts';

const orders = 200;
const processes = 5;
const workersEach = 10;

let drama: Drama;

beforeAll(async () => {
  // Sweeps that come quicker than the orders are done would only add messages for each of them.
  drama = await Drama.start({ sweepMilliseconds: 15_000 });
});
afterAll(() => drama?.world.stop());

it(`a lane takes ${orders} orders from ${processes * workersEach} workers at once without a gap or a duplicate (17)`, async () => {
  for (let at = 1; at <= processes; at++) drama.world.startWorker(`worker${at}`, workersEach);
  drama.world.startSweeper();
  await drama.settled(await drama.buy(orders, (index) => 1 + (index % 3)), 240);
  expect(await drama.audit()).toMatchObject({ minted: orders, deadLetters: [], problems: [] });
});
