import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findInventoryDifferences } from '../../../infra/ops/reconcile.ts';
import { findLedgerDifferences } from '../../../infra/ops/reconcile-ledger.ts';
import { HonestTenant } from './honest-tenant.ts';
import { type Act, actNames, arbitraryAct, HostileTenant } from './hostile-tenant.ts';
import { capacity, type Round, Rounds } from './rounds.ts';
import { type SharedResources, startSharedResources, useNewTable } from './shared-resources.ts';

/**
 * A hostile tenant misuses all shared resources with random acts, while an honest tenant sells, mints, refunds, cancels
 * an event and is paid out. The honest tenant has the same results as without the hostile one, at most one round later.
 * In every round the workers process its share of messages. CAPACITY_RUNS sets the number of random histories for the
 * nightly run.
 */

const runs = Number(process.env.CAPACITY_RUNS ?? 2);
/** The nightly run also tests each act alone and a provider that hangs, and reports times. */
const isNightly = process.env.CAPACITY_RUNS !== undefined;
/** The number of rounds in a history. */
const rounds = 12;
const roundMilliseconds = 61_000;

let resources: SharedResources;
/** The history without hostile acts. */
let baseline: History;
let historyCount = 0;

beforeAll(async () => {
  resources = await startSharedResources();
  baseline = await runHistory([]);
}, 90_000);
afterEach(() => vi.useRealTimers());
afterAll(() => resources?.stop());

/** The results of the honest tenant. */
interface History {
  outcome: object;
  /** The round of the last change of each order and payout. */
  lastChangeRounds: Record<string, number>;
  /** The calls to the failing provider, which only the hostile tenant uses. */
  requests: number;
  seconds: number;
}

async function runHistory(hostileActs: readonly Act[]): Promise<History> {
  const startedAt = performance.now();
  vi.useRealTimers();
  const name = `capacity-${++historyCount}`;
  await useNewTable(resources, name);
  const workers = await Rounds.withNewQueues(resources.backend, name);
  const honest = await HonestTenant.open(resources);
  const hostile = await HostileTenant.open(resources);
  const states: Record<string, string>[] = [];
  resources.provider.requests = 0;
  for (let round = 0; round < rounds; round++) {
    for (const act of hostileActs.filter((act) => act.round === round)) await hostile.perform(act);
    await honest.performRound(round);
    expectShares(honest, await workers.runRound());
    states.push(await honest.readStates());
    await resources.node.mine(4);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + roundMilliseconds });
  }
  expect([...(await findInventoryDifferences()), ...(await findLedgerDifferences())]).toEqual([]);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const { requests } = resources.provider;
  const outcome = await honest.readOutcome();
  return { outcome, lastChangeRounds: findLastChanges(states), requests, seconds };
}

/**
 * Checks that the workers of every queue process the honest tenant's messages up to its share: half of the messages
 * that they can process in a round.
 */
function expectShares(tenant: HonestTenant, { queued, received, deadLetters }: Round): void {
  for (const [queue, maximum] of Object.entries(capacity)) {
    const own = queued.filter((message) => message.queue === queue && tenant.owns(message));
    const ownReceived = received.filter((message) => own.includes(message));
    expect({ queue, received: ownReceived.length }).toEqual({
      queue,
      received: Math.max(ownReceived.length, Math.min(own.length, Math.floor(maximum / 2))),
    });
  }
  expect(deadLetters).toEqual([]);
}

/** Returns the last round in which each state changed. */
function findLastChanges(states: readonly Record<string, string>[]): Record<string, number> {
  const final = states.at(-1) ?? {};
  return Object.fromEntries(
    Object.keys(final).map((name) => [
      name,
      states.findLastIndex((state) => state[name] !== final[name]) + 1,
    ]),
  );
}

/** The circuit breaker allows the messages of one round before it opens, then at most two requests a round. */
const maximumRequests = (capacity['settle-orders'] ?? 0) + (capacity['send-money'] ?? 0) + 2 * rounds;

/** Checks that a history has the outcome of the baseline, at most one round later. */
function expectBaseline(history: History): void {
  expect(history.outcome).toEqual(baseline.outcome);
  expect(history.requests).toBeLessThanOrEqual(maximumRequests);
  for (const [name, round] of Object.entries(history.lastChangeRounds)) {
    expect({ name, round }).toEqual({
      name,
      round: Math.min(round, (baseline.lastChangeRounds[name] ?? 0) + 1),
    });
  }
}

test('the honest tenant sells, mints, refunds and is paid out without hostile acts', () => {
  expect(baseline.outcome).toMatchObject({
    states: {
      'minted 1': 'COMPLETED, minted, 2 tickets',
      refunded: 'COMPLETED, refund-due, refunded, 2 tickets, refund done, burn done 2',
      'cancelled 1': 'COMPLETED, refund-due, event-cancelled, 0 tickets, refund done',
      abandoned: 'FAILED, expired, none, 0 tickets',
      'pending when cancelled': 'FAILED, event-cancelled, none, 0 tickets',
      'paid on the chain': 'COMPLETED, minted, 1 tickets',
      'payout 1': 'COMPLETED',
    },
    available: [94, 100, 99],
  });
});

const allActs: Act[] = actNames.map((name, index) => ({ name, round: index % 4, size: 1 }));

test(
  'the honest tenant has the same outcome and its share of the workers during random hostile acts',
  async () => {
    const arbitraryActs = fc.array(arbitraryAct, { minLength: 3, maxLength: 10 });
    const mode = fc.constantFrom(...(isNightly ? (['throttle', 'hang'] as const) : (['throttle'] as const)));
    await fc.assert(
      fc.asyncProperty(arbitraryActs, mode, async (hostileActs, mode) => {
        resources.provider.mode = mode;
        const history = await runHistory(hostileActs);
        report(`${hostileActs.length} acts, ${mode}`, history);
        expectBaseline(history);
      }),
      // A counterexample names its seed; shrinking one takes minutes.
      { numRuns: runs, endOnFailure: true, examples: [[allActs, 'throttle']] },
    );
  },
  600_000 + runs * 60_000,
);

test.runIf(isNightly).each(actNames)(
  'a tenant that %s does not change the outcome of another',
  async (name) => {
    resources.provider.mode = 'throttle';
    const history = await runHistory([0, 3].map((round) => ({ name, round, size: 3 })));
    report(name, history);
    expectBaseline(history);
  },
);

/** Times are reported, never asserted. */
function report(name: string, { seconds, requests }: History): void {
  if (isNightly)
    console.log(`${name}: ${seconds} s, baseline ${baseline.seconds} s; ${requests} requests to gateway-b`);
}
