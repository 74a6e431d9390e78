import { readFileSync } from 'node:fs';

/** A payment provider's file from the reader of its webhooks to the end, where it checks and reads them. */
function webhookChecks(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const start = lines.findIndex((line) => /^export const readGateway\wWebhook/.test(line));
  if (start < 0) throw new Error(`${file} reads no webhooks`);
  return `${file}:${start + 1}-${lines.length}`;
}

export default {
  testRunner: 'command',
  commandRunner: { command: 'vitest run --config test/security/stryker.vitest.ts' },
  tsconfigFile: 'none',
  mutate: [
    webhookChecks('shared/payments/gateway-a.ts'),
    webhookChecks('shared/payments/gateway-b.ts'),
    webhookChecks('shared/payments/gateway-c.ts'),
    'shared/accounts/auth/sessions.ts',
    'shared/runtime/tokens.ts',
    'shared/runtime/secrets.ts',
  ],
  ignorePatterns: ['dist', '.local', 'cdk.out'],
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false },
  concurrency: 2,
  thresholds: { high: 90, low: 80, break: 70 },
};
