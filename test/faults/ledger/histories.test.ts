import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTable } from '../../../infra/local/services/aws.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { type Sandbox, startPaymentSandbox } from '../../support/sandbox.ts';
import { reconcile, type Step, World } from './world.ts';

/**
 * Random histories of concurrent sales, refunds, chargebacks, payouts and transfers, while providers fail, the event is
 * rescheduled and PAYOUTS_FROM changes. Webhooks are late, repeated, out of order or lost. After every step the ledger
 * sums to zero, it agrees with orders and payouts, and no credit is unlocked before the event's latest end. At the end
 * everything owed was sent exactly once. LEDGER_RUNS sets the number of random histories.
 */

const runs = Number(process.env.LEDGER_RUNS ?? 12);
let backend: Backend;
let sandbox: Sandbox;

beforeAll(async () => {
  backend = await startBackend();
  sandbox = await startPaymentSandbox();
  // Retries are due at once; the histories decide when they run.
  process.env.RETRY_SECONDS = '0';
}, 60_000);

afterEach(() => {
  vi.useRealTimers();
  delete process.env.PAYOUTS_FROM;
});
afterAll(async () => {
  await sandbox.stop();
  await backend.stop();
});

const arbitraryIndex = fc.nat({ max: 5 });
const arbitraryStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('sell'), quantity: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('sell-together'), quantity: fc.integer({ min: 2, max: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('sell-late'),
      quantity: fc.integer({ min: 1, max: 3 }),
      isSoldOut: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('post-again'), order: arbitraryIndex }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('charge-back'), order: arbitraryIndex }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('advance-clock'), hours: fc.constantFrom(1, 30, 200) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('reschedule-event'), hours: fc.constantFrom(-10, 1, 48, 300) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('set-payouts-from'), from: fc.constantFrom('sale', 'event') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('unlock') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund'), order: arbitraryIndex }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('send-refund'), order: arbitraryIndex }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('request-payout'), amount: fc.integer({ min: 1, max: 120 }) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('send-payout'), payout: arbitraryIndex }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('end-transfer-as-succeeded'), payout: arbitraryIndex }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('end-transfer-as-failed'), payout: arbitraryIndex }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail-payout'), payout: arbitraryIndex }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('succeed-after-failure'), payout: arbitraryIndex }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('deliver-webhook'), webhook: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('inject-gateway-fault'),
      mode: fc.constantFrom('error', 'lose'),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
);

/**
 * One payout fails, another succeeds after it failed, and a third succeeds immediately. One of several orders is
 * refunded, and one is paid after the event sold out.
 */
const payoutHistory: Step[][] = [
  [{ do: 'sell', quantity: 2 }],
  [
    { do: 'request-payout', amount: 20 },
    { do: 'request-payout', amount: 20 },
  ],
  [
    { do: 'fail-payout', payout: 0 },
    { do: 'fail-payout', payout: 1 },
  ],
  [{ do: 'succeed-after-failure', payout: 1 }],
  [
    { do: 'sell', quantity: 1 },
    { do: 'sell', quantity: 1 },
  ],
  [{ do: 'request-payout', amount: 20 }],
  [
    { do: 'refund', order: 0 },
    { do: 'send-payout', payout: 2 },
  ],
  [{ do: 'end-transfer-as-succeeded', payout: 2 }],
  [{ do: 'sell-late', quantity: 2, isSoldOut: true }],
];

/**
 * Credits wait for the end of an event that is rescheduled, while PAYOUTS_FROM changes. Some orders are refunded before
 * the unlock, and some after it.
 */
const unlockHistory: Step[][] = [
  [{ do: 'set-payouts-from', from: 'event' }],
  [{ do: 'sell-together', quantity: 3 }],
  [{ do: 'set-payouts-from', from: 'sale' }],
  [{ do: 'sell', quantity: 1 }],
  [{ do: 'reschedule-event', hours: -10 }],
  [{ do: 'unlock' }],
  [{ do: 'refund', order: 0 }],
  [{ do: 'advance-clock', hours: 30 }],
  [{ do: 'unlock' }, { do: 'unlock' }, { do: 'charge-back', order: 1 }],
  [
    { do: 'refund', order: 2 },
    { do: 'request-payout', amount: 30 },
  ],
];

/** Orders that are posted together are refunded one by one, during and after the posting. */
const postingHistory: Step[][] = [
  [
    { do: 'sell-together', quantity: 3 },
    { do: 'refund', order: 0 },
  ],
  [
    { do: 'refund', order: 1 },
    { do: 'post-again', order: 2 },
    { do: 'refund', order: 2 },
  ],
];

/** The provider fails five times in a row, which opens its circuit breaker. */
const outageHistory: Step[][] = [
  [{ do: 'sell', quantity: 2 }],
  [{ do: 'request-payout', amount: 20 }],
  [{ do: 'inject-gateway-fault', mode: 'error', times: 5 }],
  [{ do: 'fail-payout', payout: 0 }],
];

/** The provider is asked concurrently to let a transfer succeed and to fail it. */
const contradictoryTransferHistory: Step[][] = [
  [{ do: 'sell', quantity: 2 }],
  [{ do: 'request-payout', amount: 20 }],
  [{ do: 'send-payout', payout: 0 }],
  [
    { do: 'end-transfer-as-succeeded', payout: 0 },
    { do: 'end-transfer-as-failed', payout: 0 },
  ],
  [{ do: 'deliver-webhook', webhook: 0 }],
  [{ do: 'deliver-webhook', webhook: 1 }],
];

test('every history keeps the ledger balanced after every step, and sends everything owed once', async () => {
  let historyCount = 0;
  const startedAt = Date.now();
  const statusCounts = new Map<string, number>();
  const history = fc.array(fc.array(arbitraryStep, { minLength: 1, maxLength: 3 }), {
    minLength: 8,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(history as fc.Arbitrary<Step[][]>, async (stepGroups) => {
      // Each history has its own table, since a reconciliation reads the whole table after every step.
      process.env.TABLE_NAME = `ledger-${++historyCount}`;
      await createTable(backend.dynamodbUrl, process.env.TABLE_NAME, { dropExisting: false });
      sandbox.webhooks.length = 0;
      process.env.PAYOUTS_FROM = historyCount % 2 === 0 ? 'event' : 'sale';
      vi.useFakeTimers({ toFake: ['Date'], now: startedAt });
      await sandbox.control('faults', {}, 'DELETE');
      await sandbox.control('faults', { holdTransfers: true });
      const world = await World.open(sandbox);
      for (const steps of stepGroups) {
        await Promise.all(steps.map((step) => world.perform(step)));
        expect(await reconcile()).toEqual([]);
        await world.checkUnlocks(steps);
      }
      await world.finish();
      expect(await reconcile()).toEqual([]);
      const finalStatuses = await world.checkOutcome();
      for (const status of finalStatuses) statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
    }),
    {
      numRuns: runs,
      examples: [
        [payoutHistory],
        [contradictoryTransferHistory],
        [postingHistory],
        [unlockHistory],
        [outageHistory],
      ],
    },
  );
  console.log(`${runs} histories:`, Object.fromEntries(statusCounts));
  // The histories must reach every outcome.
  for (const status of ['payout COMPLETED', 'payout FAILED', 'refund done', 'refund none'])
    expect(statusCounts.get(status)).toBeGreaterThan(0);
}, 600_000);
