import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The tests start many processes, which load the same modules.
process.env.NODE_COMPILE_CACHE ??= path.join(tmpdir(), 'boxoffice-compile-cache');

/** Starts the slowest files first. On a fresh checkout Vitest starts the largest first, and these are small. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) =>
      /(histories|infra\/stack|real-chain|budgets\/order)\.test\.ts$/.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/**
 * The projects `unit`, `infra`, `contracts` and `budgets` need no stack. All files of `stack` share one local stack, and those
 * of `browser` another. Each file of `faults` starts its own, since these tests break it.
 */
export default defineConfig({
  test: {
    // Twice the test machine's two cores, since many tests wait for a schedule, a block, a page or a lease. More would only
    // make each answer late.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
    silent: 'passed-only',
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 300_000 } },
      {
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'budgets',
          include: ['test/bench/**/*.test.ts'],
          globalSetup: ['test/support/build.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      { test: { name: 'contracts', include: ['test/contracts/**/*.test.ts'], testTimeout: 300_000 } },
      {
        test: {
          name: 'stack',
          include: ['test/{integration,journeys,security}/**/*.test.ts'],
          globalSetup: ['test/support/build.ts', 'test/support/global-setup.ts'],
          // Longer than two waits of test/support/eventually.ts.
          testTimeout: 330_000,
          hookTimeout: 330_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/build.ts', 'test/support/global-setup.ts'],
          expect: { poll: { timeout: 60_000 } },
          testTimeout: 300_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: ['test/support/build.ts'],
          // With the simulation, after the other projects: it uses two cores, and these tests mostly wait.
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'simulation',
          include: ['test/simulation/*.test.ts'],
          sequence: { groupOrder: 1 },
          // 500 histories take five minutes of two cores beside the fault tests. The nightly form takes an hour.
          testTimeout: 1_800_000,
          hookTimeout: process.env.HISTORIES ? 7_200_000 : 1_800_000,
        },
      },
    ],
  },
});
