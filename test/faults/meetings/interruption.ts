import { AsyncLocalStorage } from 'node:async_hooks';
import { documentClient } from '../../../shared/dynamo/client.ts';

interface Interrupted {
  writes: number;
  before: number;
  act(): Promise<void>;
}

const interrupted = new AsyncLocalStorage<Interrupted>();
/** Runs code as if nothing called it: neither its deadlines nor its interruptions apply. */
const outside = AsyncLocalStorage.snapshot();

/** Lets `interrupt` see every request to the table. Call it once. */
export function watchWrites(): void {
  documentClient().middlewareStack.add(
    (next, context) => async (args) => {
      const running = interrupted.getStore();
      const isWrite = /^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(context.commandName ?? '');
      if (running && isWrite && ++running.writes === running.before) await outside(() => running.act());
      return next(args);
    },
    { step: 'initialize', name: 'interrupt' },
  );
}

/**
 * Does `other` when `one` is about to make a write, so that what `one` has read no longer holds.
 * @param before the number of the write, from 1 on; with fewer writes `other` comes afterwards
 */
export async function interrupt<Result>(
  one: () => Promise<Result>,
  other: () => Promise<Result>,
  before: number,
): Promise<[Result, Result]> {
  let answer: Result | undefined;
  const act = async () => {
    answer = await other();
  };
  const first = await interrupted.run({ writes: 0, before, act }, one);
  if (answer === undefined) await act();
  return [first, answer as Result];
}
