import { AsyncLocalStorage } from 'node:async_hooks';
import { documentClient } from '../../../shared/dynamo/client.ts';

/**
 * Runs concurrent operations in every interleaving of their table requests. Requests to the chosen items wait, and the
 * schedule lets one of them through at a time. All other requests pass at once. The schedules form a tree with a branch
 * for each operation that can continue. Each run takes one path, and the next run takes the first path that no run has
 * taken.
 */
export interface Run<Name extends string> {
  results: Record<Name, PromiseSettledResult<unknown>>;
  /** The operation that continued at each step. */
  schedule: Name[];
}

/** The waiting requests of one operation. */
class Turnstile {
  readonly waiting: (() => void)[] = [];
}

const turnstiles = new AsyncLocalStorage<Turnstile>();

/** Makes requests wait for their turn in a run if their body contains one of `matters`. Call it once per process. */
export function gateRequests(matters: () => readonly string[]): void {
  documentClient().middlewareStack.add(
    (next) => async (args) => {
      const turnstile = turnstiles.getStore();
      const text = turnstile && JSON.stringify(args.input, withoutBigints);
      if (!turnstile || !matters().some((part) => text?.includes(part))) return next(args);
      await new Promise<void>((resolve) => turnstile.waiting.push(resolve));
      return next(args);
    },
    { step: 'initialize', name: 'turnstile' },
  );
}

const withoutBigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** @param choose receives the number of operations that can continue, and returns the index of the one that does */
async function run<Name extends string>(
  operations: Record<Name, () => Promise<unknown>>,
  choose: (options: number, step: number) => number,
): Promise<Run<Name>> {
  const names = Object.keys(operations) as Name[];
  const places = new Map(names.map((name) => [name, new Turnstile()]));
  const ended = names.map((name) => {
    const place = places.get(name) as Turnstile;
    return turnstiles.run(place, () => operations[name]().finally(() => places.delete(name)));
  });
  const settled = Promise.allSettled(ended);
  const schedule: Name[] = [];
  for (let step = 0; places.size > 0; step++) {
    while ([...places.values()].some(({ waiting }) => waiting.length === 0)) await tick();
    const open = [...places];
    if (open.length === 0) break;
    const [name, place] = open[choose(open.length, step) % open.length] as [Name, Turnstile];
    schedule.push(name);
    place.waiting.shift()?.();
    // Resolves when the operation waits again or has ended.
    while (places.get(name) === place && place.waiting.length === 0) await tick();
  }
  const results = await settled;
  return {
    schedule,
    results: Object.fromEntries(names.map((name, index) => [name, results[index]])) as Run<Name>['results'],
  };
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Runs operations in every order.
 * @param prepare creates the operations of one run, on new items
 * @returns the number of interleavings
 */
export async function explore<Name extends string>(
  prepare: () => Promise<Record<Name, () => Promise<unknown>>>,
  check: (run: Run<Name>) => Promise<void>,
): Promise<number> {
  let path: number[] = [];
  for (let runs = 1; ; runs++) {
    const taken: { chosen: number; options: number }[] = [];
    const result = await run(await prepare(), (options, step) => {
      const chosen = path[step] ?? 0;
      taken.push({ chosen, options });
      return chosen;
    });
    await check(result);
    const last = taken.findLastIndex(({ chosen, options }) => chosen + 1 < options);
    if (last === -1) return runs;
    path = [...taken.slice(0, last).map(({ chosen }) => chosen), (taken[last]?.chosen ?? 0) + 1];
  }
}

/** Runs operations in the interleaving that a list of numbers gives. */
export function follow<Name extends string>(
  operations: Record<Name, () => Promise<unknown>>,
  numbers: readonly number[],
): Promise<Run<Name>> {
  return run(operations, (options, step) => (numbers[step % numbers.length] ?? 0) % options);
}
