import { expect, it, vi } from 'vitest';
import type { Random } from '../../support/random.ts';
import { FaultMix } from './fault-mix.ts';
import type { Scenario } from './scenario.ts';

it('a fault mix injects no further fault after it is stopped during one', async () => {
  vi.useFakeTimers();
  let endReorganisation = () => {};
  const reorganise = vi.fn(() => new Promise<void>((resolve) => (endReorganisation = resolve)));
  const node = { reorganise, setBlocksPerSecond: vi.fn() };
  const scenario = { world: { node, intercept: () => () => {} } } as unknown as Scenario;
  // Chooses the last kind, a deep reorganisation.
  const random = { between: (_least: number, most: number) => most } as Random;
  const faultMix = new FaultMix(scenario, random);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(reorganise).toHaveBeenCalledOnce();

  const stopping = faultMix.stop();
  endReorganisation();
  await stopping;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reorganise).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
