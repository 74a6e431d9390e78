import { defineConfig } from 'vitest/config';

/**
 * `unit`, `infra`, `contracts` and `budgets` need no stack. `integration`, `journeys` and `security` share one,
 * which is started for them, and `browser` has its own; `faults` start their own, since they break it.
 */
export default defineConfig({
  test: {
    // One more than a small machine has cores: stacks bring their own processes, but most tests wait for a schedule, a
    // block or a lease.
    maxWorkers: 3,
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
          globalSetup: ['test/support/every-operation.ts', 'test/support/shared-stack.ts'],
          testTimeout: 150_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/shared-stack.ts', 'test/support/shared-browser.ts'],
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 150_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          // After the others: what they break and wait for needs processor time at once.
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
});
