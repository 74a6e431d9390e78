import { defineConfig } from 'vitest/config';

/**
 * The projects `unit`, `infra`, `contracts` and `budgets` need no stack. All files of `stack` share one local stack, and those
 * of `browser` another. Each file of `faults` starts its own, since these tests break it.
 */
export default defineConfig({
  test: {
    // Twice the test machine's two cores, since most tests wait for a schedule, a block, a page or a lease.
    maxWorkers: 4,
    silent: 'passed-only',
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'budgets',
          include: ['test/bench/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 240_000,
        },
      },
      { test: { name: 'contracts', include: ['test/contracts/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'stack',
          include: ['test/{integration,journeys,security}/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          // Longer than two waits of test/support/eventually.ts.
          testTimeout: 330_000,
          hookTimeout: 330_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 150_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
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
          // The nightly form runs for an hour.
          testTimeout: process.env.HISTORIES ? 7_200_000 : 600_000,
        },
      },
    ],
  },
});
