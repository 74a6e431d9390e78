import { AsyncLocalStorage } from 'node:async_hooks';
import { documentClient } from '../../../shared/dynamo/client.ts';

interface Interrupted {
  writes: number;
  before: number;
  act(): Promise<void>;
}

const interrupted = new AsyncLocalStorage<Interrupted>();
/** Runs code outside the current call, so that neither its deadline nor its interruptions apply. */
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
 * Runs `other` just before a write of `one`, so that the data that `one` has read is outdated.
 * @param before the number of the write, from 1; when `one` makes fewer writes, `other` runs after it
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
