import { AsyncLocalStorage } from 'node:async_hooks';
import { documentClient } from '../../../shared/dynamo/read.ts';

/**
 * Runs concurrent operations in every interleaving of their requests to chosen items of the table. These requests wait,
 * and are sent one at a time. All other requests are sent immediately. At each step one of the waiting operations
 * continues. The possible choices form a tree: each run takes one path, and the next run takes the next path.
 */

/** The results of one interleaving. */
export interface Run<Name extends string> {
  results: Record<Name, PromiseSettledResult<unknown>>;
  /** The operation that continued at each step. */
  schedule: Name[];
}

/** The waiting requests of one operation. */
class RequestGate {
  readonly waiting: (() => void)[] = [];
}

const gates = new AsyncLocalStorage<RequestGate>();

/** Makes requests wait for their turn in a run if their body contains one of the texts. Call it once per process. */
export function gateRequests(texts: () => readonly string[]): void {
  documentClient().middlewareStack.add(
    (next) => async (args) => {
      const gate = gates.getStore();
      const body = gate && JSON.stringify(args.input, withoutBigints);
      if (!gate || !texts().some((text) => body?.includes(text))) return next(args);
      await new Promise<void>((resolve) => gate.waiting.push(resolve));
      return next(args);
    },
    { step: 'initialize', name: 'gate' },
  );
}

const withoutBigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** @param choose receives the number of operations that can continue, and returns the index of the one that does */
async function run<Name extends string>(
  operations: Record<Name, () => Promise<unknown>>,
  choose: (options: number, step: number) => number,
): Promise<Run<Name>> {
  const names = Object.keys(operations) as Name[];
  /** The gates of the operations that have not ended. */
  const activeGates = new Map(names.map((name) => [name, new RequestGate()]));
  const operationRuns = names.map((name) => {
    const gate = activeGates.get(name) as RequestGate;
    return gates.run(gate, () => operations[name]().finally(() => activeGates.delete(name)));
  });
  const allResults = Promise.allSettled(operationRuns);
  const schedule: Name[] = [];
  for (let step = 0; activeGates.size > 0; step++) {
    // Each active operation has to wait or end before one is chosen.
    while ([...activeGates.values()].some(({ waiting }) => waiting.length === 0)) await nextTick();
    const candidates = [...activeGates];
    if (candidates.length === 0) break;
    const [name, gate] = candidates[choose(candidates.length, step) % candidates.length] as [
      Name,
      RequestGate,
    ];
    schedule.push(name);
    gate.waiting.shift()?.();
    // The next step starts when the operation waits again or has ended.
    while (activeGates.get(name) === gate && gate.waiting.length === 0) await nextTick();
  }
  const results = await allResults;
  return {
    schedule,
    results: Object.fromEntries(names.map((name, index) => [name, results[index]])) as Run<Name>['results'],
  };
}

const nextTick = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Runs operations in every interleaving.
 * @param prepare creates the operations of one run, on new items
 * @returns the number of interleavings
 */
export async function explore<Name extends string>(
  prepare: () => Promise<Record<Name, () => Promise<unknown>>>,
  check: (run: Run<Name>) => Promise<void>,
): Promise<number> {
  let path: number[] = [];
  for (let runs = 1; ; runs++) {
    const choices: { chosen: number; options: number }[] = [];
    const result = await run(await prepare(), (options, step) => {
      const chosen = path[step] ?? 0;
      choices.push({ chosen, options });
      return chosen;
    });
    await check(result);
    // The last step at which another operation could have continued.
    const lastBranch = choices.findLastIndex(({ chosen, options }) => chosen + 1 < options);
    if (lastBranch === -1) return runs;
    path = [
      ...choices.slice(0, lastBranch).map(({ chosen }) => chosen),
      (choices[lastBranch]?.chosen ?? 0) + 1,
    ];
  }
}

/** Runs operations in one interleaving: at each step the next number selects the operation that continues. */
export function runSchedule<Name extends string>(
  operations: Record<Name, () => Promise<unknown>>,
  numbers: readonly number[],
): Promise<Run<Name>> {
  return run(operations, (options, step) => (numbers[step % numbers.length] ?? 0) % options);
}
