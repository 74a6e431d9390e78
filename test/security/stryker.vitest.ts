import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests that each mutant must fail: fast ones, since Stryker runs them once for each mutant. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '..', '..'),
  test: {
    bail: 1,
    include: [
      'test/unit/{accounts/auth,runtime/tokens}.test.ts',
      'test/unit/payments/webhooks.test.ts',
      'test/unit/runtime/secrets.test.ts',
    ],
  },
});
