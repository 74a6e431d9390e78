import { describe, expect, it } from 'vitest';
import { counted, pairCount } from './actor.ts';
import { explain, runHistories, runInTwoProcesses, type Summary } from './processes.ts';

// CI sets neither. New seeds run at night, so that a change is not refused for a bug that was there before it.
const count = Number(process.env.HISTORIES ?? 500);
const first = Number(process.env.FIRST_SEED ?? 1);

let all: Promise<Summary[]> | undefined;
const runAll = () => {
  all ??= runInTwoProcesses(first, count);
  return all;
};

const pairArguments = ['--scenario', 'pairs', '--length', '1'];
const waitingArguments = ['--scenario', 'waiting', '--length', '1'];
const resaleArguments = ['--scenario', 'resales', '--length', '20'];
const queueArguments = ['--scenario', 'queue', '--length', '5'];
const refundArguments = ['--scenario', 'refunds', '--length', '1'];

describe('the whole service, simulated', () => {
  it('keeps all its invariants under every fault, and finishes everything once the faults end', async () => {
    const results = await runAll();
    const [failure] = results.filter(({ violation }) => violation);
    expect(failure, failure && (await explain(failure.seed))).toBeUndefined();
    expect(results.length).toBe(count);
    // Histories in which little happens would keep all invariants too.
    const requests = results.reduce((sum, result) => sum + result.requests, 0) / results.length;
    expect(requests).toBeGreaterThan(200);
    // A few histories may lack the rarest.
    const happening = counted.filter((what) => !['waiting_list.offered', 'payout.failed'].includes(what));
    for (const what of count < 200 ? [] : happening) {
      const times = results.reduce((sum, { counts }) => sum + (counts[what] ?? 0), 0);
      expect(times, what).toBeGreaterThan(0);
    }
  });

  it('refunds orders in many parts at once, and provider, ledger and order agree to the minor unit', async () => {
    // `npm run nightly -- simulation` runs 200.
    const results = await runInTwoProcesses(first, Math.min(200, Math.ceil(count / 15)), refundArguments);
    const [failure] = results.filter(({ violation }) => violation);
    expect(failure, failure && (await explain(failure.seed, refundArguments))).toBeUndefined();
    const parts = results.reduce((sum, { counts }) => sum + (counts['a partial refund'] ?? 0), 0);
    expect(parts).toBeGreaterThan(5 * results.length);
  });

  it('lets each two operations meet on one order, in either sequence', async () => {
    // At night also at the same time, while workers are killed at any of their requests.
    const rounds = count > 500 ? 10 : 1;
    const results = await runInTwoProcesses(1, rounds * pairCount, pairArguments);
    const [failure] = results.filter(({ violation }) => violation);
    expect(failure, failure && (await explain(failure.seed, pairArguments))).toBeUndefined();
    expect(new Set(results.flatMap(({ pairs }) => pairs)).size).toBeGreaterThan(100);
  });

  it('sells each listed seat once, to a person on the waiting list', async () => {
    // `npm run nightly -- simulation` runs 400.
    const results = await runInTwoProcesses(first, Math.min(400, Math.ceil(count / 15)), resaleArguments);
    const [failure] = results.filter(({ violation }) => violation);
    expect(failure, failure && (await explain(failure.seed, resaleArguments))).toBeUndefined();
    const sold = results.reduce((sum, { counts }) => sum + (counts['a listed seat sold'] ?? 0), 0);
    expect(sold).toBeGreaterThan(results.length / 20);
  });

  it('offers 50 returned seats to 500 who wait, each once, in the order of joining', async () => {
    const results = await runInTwoProcesses(first, count > 500 ? 100 : 4, waitingArguments);
    const [failure] = results.filter(({ violation }) => violation);
    expect(failure, failure && (await explain(failure.seed, waitingArguments))).toBeUndefined();
  });

  it('sells by queues, in which only admitted people order, and nobody is overtaken', async () => {
    const results = await runInTwoProcesses(first, Math.min(500, Math.ceil(count / 50)), queueArguments);
    const [failure] = results.filter(({ violation }) => violation);
    expect(failure, failure && (await explain(failure.seed, queueArguments))).toBeUndefined();
    for (const what of ['an order from a queue', 'refused before the turn'] as const) {
      const times = results.reduce((sum, { counts }) => sum + (counts[what] ?? 0), 0);
      expect(times, what).toBeGreaterThan(results.length / 2);
    }
  });

  it('runs the same history for the same seed, byte for byte', async () => {
    const digestsOf = (results: Summary[]) => results.map(({ seed, digest }) => `${seed} ${digest}`);
    const once = digestsOf(await runAll());
    // The repeated ones begin later, so that each has other histories before it than at first.
    const again = digestsOf(await runHistories(first + 3, 20));
    expect(again).toEqual(once.slice(3, 23));
    expect(new Set(again.map((line) => line.split(' ')[1])).size).toBe(20);
  });
});
