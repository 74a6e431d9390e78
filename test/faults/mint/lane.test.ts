import { afterAll, beforeAll, expect, it } from 'vitest';
import { Drama } from './drama.ts';

let drama: Drama;

beforeAll(async () => {
  drama = await Drama.start();
});
afterAll(() => drama?.world.stop());

it('a lane takes 60 orders from 20 workers at once without a gap or a duplicate (17)', async () => {
  drama.world.startWorker('worker1', 10);
  drama.world.startWorker('worker2', 10);
  drama.world.startSweeper();
  await drama.settled(await drama.buy(60, (index) => 1 + (index % 3)));
  expect(await drama.audit()).toMatchObject({ minted: 60, deadLetters: 0, problems: [] });
});
