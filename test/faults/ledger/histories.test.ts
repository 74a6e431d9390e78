import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTable } from '../../../infra/local/parts/dynamodb.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { type Sandbox, startSandboxAlone } from '../../support/sandbox.ts';
import { audit, type Step, World } from './world.ts';

/**
 * Random histories of concurrent sales, refunds, chargebacks, payouts and transfers, while providers fail, the event is
 * rescheduled and PAYOUTS_FROM changes. Webhooks are late, repeated, out of order or lost. After every step the ledger
 * sums to zero, it agrees with orders and payouts, and no credit is released before the event's latest end. At the end
 * everything owed was sent exactly once. LEDGER_RUNS sets the number of random histories.
 */

const runs = Number(process.env.LEDGER_RUNS ?? 12);
let backend: Backend;
let sandbox: Sandbox;

beforeAll(async () => {
  backend = await startBackend();
  sandbox = await startSandboxAlone();
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

const place = fc.nat({ max: 5 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('sell'), quantity: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('sell-together'), quantity: fc.integer({ min: 2, max: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('sell-too-late'),
      quantity: fc.integer({ min: 1, max: 3 }),
      isSoldOut: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('post-again'), order: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('charge-back'), order: place }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass-time'), hours: fc.constantFrom(1, 30, 200) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('move-event'), hours: fc.constantFrom(-10, 1, 48, 300) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pay-out-from'), from: fc.constantFrom('sale', 'event') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund'), order: place }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('work-on-refund'), order: place }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('ask-payout'), amount: fc.integer({ min: 1, max: 120 }) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('work-on-payout'), payout: place }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('succeed'), payout: place }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('fail'), payout: place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail-for-good'), payout: place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('arrive-after-all'), payout: place }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('deliver'), webhook: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('break'),
      mode: fc.constantFrom('error', 'lose'),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
);

/**
 * One payout fails for good, another arrives after it failed, a third arrives at once, one of several orders is
 * refunded, and one is paid when it is sold out.
 */
const example: Step[][] = [
  [{ do: 'sell', quantity: 2 }],
  [
    { do: 'ask-payout', amount: 20 },
    { do: 'ask-payout', amount: 20 },
  ],
  [
    { do: 'fail-for-good', payout: 0 },
    { do: 'fail-for-good', payout: 1 },
  ],
  [{ do: 'arrive-after-all', payout: 1 }],
  [
    { do: 'sell', quantity: 1 },
    { do: 'sell', quantity: 1 },
  ],
  [{ do: 'ask-payout', amount: 20 }],
  [
    { do: 'refund', order: 0 },
    { do: 'work-on-payout', payout: 2 },
  ],
  [{ do: 'succeed', payout: 2 }],
  [{ do: 'sell-too-late', quantity: 2, isSoldOut: true }],
];

/**
 * Credits wait for the end of an event that is rescheduled, while PAYOUTS_FROM changes. Some orders are refunded before
 * the release, and some after it.
 */
const ending: Step[][] = [
  [{ do: 'pay-out-from', from: 'event' }],
  [{ do: 'sell-together', quantity: 3 }],
  [{ do: 'pay-out-from', from: 'sale' }],
  [{ do: 'sell', quantity: 1 }],
  [{ do: 'move-event', hours: -10 }],
  [{ do: 'release' }],
  [{ do: 'refund', order: 0 }],
  [{ do: 'pass-time', hours: 30 }],
  [{ do: 'release' }, { do: 'release' }, { do: 'charge-back', order: 1 }],
  [
    { do: 'refund', order: 2 },
    { do: 'ask-payout', amount: 30 },
  ],
];

/** Orders posted together are refunded, one by one and while they are posted. */
const together: Step[][] = [
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

/** The provider is asked to end a transfer in both ways at once. */
const contradiction: Step[][] = [
  [{ do: 'sell', quantity: 2 }],
  [{ do: 'ask-payout', amount: 20 }],
  [{ do: 'work-on-payout', payout: 0 }],
  [
    { do: 'succeed', payout: 0 },
    { do: 'fail', payout: 0 },
  ],
  [{ do: 'deliver', webhook: 0 }],
  [{ do: 'deliver', webhook: 1 }],
];

test('keeps the ledger balanced after every step, and sends everything owed once', async () => {
  let histories = 0;
  const started = Date.now();
  const seen = new Map<string, number>();
  const history = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(history as fc.Arbitrary<Step[][]>, async (moments) => {
      // A table of its own for each history: the audit reads all of it, after every step.
      process.env.TABLE_NAME = `ledger-${++histories}`;
      await createTable(backend.dynamodbUrl, process.env.TABLE_NAME, { dropExisting: false });
      sandbox.webhooks.length = 0;
      process.env.PAYOUTS_FROM = histories % 2 === 0 ? 'event' : 'sale';
      vi.useFakeTimers({ toFake: ['Date'], now: started });
      await sandbox.control('faults', {}, 'DELETE');
      await sandbox.control('faults', { holdTransfers: true });
      const world = await World.open(sandbox);
      for (const together of moments) {
        await Promise.all(together.map((one) => world.perform(one)));
        expect(await audit()).toEqual([]);
        await world.checkReleases(together);
      }
      await world.finish();
      expect(await audit()).toEqual([]);
      for (const status of await world.outcome()) seen.set(status, (seen.get(status) ?? 0) + 1);
    }),
    { numRuns: runs, examples: [[example], [contradiction], [together], [ending]] },
  );
  console.log(`${runs} histories:`, Object.fromEntries(seen));
  // The histories must reach every outcome.
  for (const end of ['payout COMPLETED', 'payout FAILED', 'refund done', 'refund none'])
    expect(seen.get(end)).toBeGreaterThan(0);
}, 600_000);
