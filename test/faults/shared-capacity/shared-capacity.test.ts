import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { auditLedger } from '../../../infra/operator/ledger-audit.ts';
import { auditInventory } from '../../../infra/operator/stock-audit.ts';
import { HonestTenant } from './honest-tenant.ts';
import { type Act, act, acts, HostileTenant } from './hostile-tenant.ts';
import { type Parts, startParts, useNewTable } from './parts.ts';
import { capacity, type Round, Rounds } from './rounds.ts';

/**
 * A hostile tenant misuses all shared resources, in random mixes, while an honest tenant sells, mints, refunds, cancels
 * an event and is paid out. The honest tenant's results are the same as alone, at most one round later. Its messages
 * get their share of every round of the workers. CAPACITY_RUNS sets the number of random mixes for the nightly run.
 */

const runs = Number(process.env.CAPACITY_RUNS ?? 2);
/** In the nightly run each act is also tested alone, as is a provider that hangs, and times are reported. */
const isNightly = process.env.CAPACITY_RUNS !== undefined;
/** The number of rounds of a minute. */
const rounds = 12;
const roundMilliseconds = 61_000;

let parts: Parts;
let alone: History;
let histories = 0;

beforeAll(async () => {
  parts = await startParts();
  alone = await play([]);
}, 90_000);
afterEach(() => vi.useRealTimers());
afterAll(() => parts?.stop());

/** The results of the honest tenant. */
interface History {
  outcome: object;
  /** The round of the last change of each order and payout. */
  settledIn: Record<string, number>;
  /** The calls to the failing provider, which only the hostile tenant uses. */
  requests: number;
  seconds: number;
}

async function play(hostile: readonly Act[]): Promise<History> {
  const began = performance.now();
  vi.useRealTimers();
  const name = `capacity-${++histories}`;
  await useNewTable(parts, name);
  const work = await Rounds.withNewQueues(parts.backend, name);
  const tenant = await HonestTenant.open(parts);
  const attacker = await HostileTenant.open(parts);
  const states: Record<string, string>[] = [];
  parts.provider.requests = 0;
  for (let round = 0; round < rounds; round++) {
    for (const one of hostile.filter((act) => act.round === round)) await attacker.perform(one);
    await tenant.act(round);
    expectShares(tenant, await work.run());
    states.push(await tenant.states());
    await parts.node.mine(4);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + roundMilliseconds });
  }
  expect([...(await auditInventory()), ...(await auditLedger())]).toEqual([]);
  const seconds = Math.round((performance.now() - began) / 1000);
  const { requests } = parts.provider;
  return { outcome: await tenant.outcome(), settledIn: lastChanges(states), requests, seconds };
}

/** Checks that the workers of every queue process the honest tenant's messages up to its share, half of a round. */
function expectShares(tenant: HonestTenant, { waiting, taken, dead }: Round): void {
  for (const [queue, most] of Object.entries(capacity)) {
    const own = waiting.filter((message) => message.queue === queue && tenant.owns(message));
    const ownTaken = taken.filter((message) => own.includes(message));
    expect({ queue, taken: ownTaken.length }).toEqual({
      queue,
      taken: Math.max(ownTaken.length, Math.min(own.length, Math.floor(most / 2))),
    });
  }
  expect(dead).toEqual([]);
}

function lastChanges(states: readonly Record<string, string>[]): Record<string, number> {
  const final = states.at(-1) ?? {};
  return Object.fromEntries(
    Object.keys(final).map((name) => [name, states.findLastIndex((now) => now[name] !== final[name]) + 1]),
  );
}

/** Before the breaker opens: the messages of one round. Afterwards one or two trials in a round. */
const maximumRequests = (capacity.settle ?? 0) + (capacity.payout ?? 0) + 2 * rounds;

function expectSame(history: History): void {
  expect(history.outcome).toEqual(alone.outcome);
  expect(history.requests).toBeLessThanOrEqual(maximumRequests);
  for (const [name, round] of Object.entries(history.settledIn)) {
    expect({ name, round }).toEqual({ name, round: Math.min(round, (alone.settledIn[name] ?? 0) + 1) });
  }
}

test('alone, the honest tenant sells, mints, refunds and is paid out', () => {
  expect(alone.outcome).toMatchObject({
    states: {
      'kept 1': 'COMPLETED, minted, 2 tickets',
      refunded: 'COMPLETED, refund-due, refunded, 2 tickets, refund done, burn done 2',
      'cancelled 1': 'COMPLETED, refund-due, event-cancelled, 0 tickets, refund done',
      abandoned: 'FAILED, expired, none, 0 tickets',
      'open when cancelled': 'FAILED, event-cancelled, none, 0 tickets',
      'paid on the chain': 'COMPLETED, minted, 1 tickets',
      'payout 1': 'COMPLETED',
    },
    available: [94, 100, 99],
  });
});

/** All acts together. */
const everything: Act[] = acts.map((name, index) => ({ do: name, round: index % 4, size: 1 }));

test(
  'tenants keep their outcome and their share beside random mixes of hostile acts',
  async () => {
    const mix = fc.array(act, { minLength: 3, maxLength: 10 });
    const mode = fc.constantFrom(...(isNightly ? (['throttle', 'hang'] as const) : (['throttle'] as const)));
    await fc.assert(
      fc.asyncProperty(mix, mode, async (hostile, mode) => {
        parts.provider.mode = mode;
        const history = await play(hostile);
        report(`${hostile.length} acts, ${mode}`, history);
        expectSame(history);
      }),
      // A counterexample names its seed; shrinking one takes minutes.
      { numRuns: runs, endOnFailure: true, examples: [[everything, 'throttle']] },
    );
  },
  600_000 + runs * 60_000,
);

test.runIf(isNightly).each(acts)('a tenant that %s changes nothing for another', async (name) => {
  parts.provider.mode = 'throttle';
  const history = await play([0, 3].map((round) => ({ do: name, round, size: 3 })));
  report(name, history);
  expectSame(history);
});

/** Times are reported, never asserted. */
function report(name: string, { seconds, requests }: History): void {
  if (isNightly)
    console.log(`${name}: ${seconds} s, alone ${alone.seconds} s; ${requests} requests to gateway-b`);
}
