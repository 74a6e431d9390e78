import { AsyncLocalStorage } from 'node:async_hooks';
import { documentClient } from '../../../shared/dynamo/read.ts';

interface Interruption {
  /** The writes so far. */
  writes: number;
  /** Before which write `run` is called, counted from 1. */
  writeNumber: number;
  run(): Promise<void>;
}

const interruptions = new AsyncLocalStorage<Interruption>();
/** Runs code outside the interrupted operation, so that the operation's deadline does not apply to the code. */
const runOutside = AsyncLocalStorage.snapshot();

/** Enables `interrupt` for the client of the table. Call it once per process. */
export function enableInterruptions(): void {
  documentClient().middlewareStack.add(
    (next, context) => async (args) => {
      const interruption = interruptions.getStore();
      const isWrite = /^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(context.commandName ?? '');
      if (interruption && isWrite && ++interruption.writes === interruption.writeNumber)
        await runOutside(() => interruption.run());
      return next(args);
    },
    { step: 'initialize', name: 'interrupt' },
  );
}

/**
 * Runs `second` just before a write of `first`, so that `first` works with outdated data.
 * @param writeNumber the number of the write, from 1; if `first` makes fewer writes, `second` runs after it
 */
export async function interrupt<Result>(
  first: () => Promise<Result>,
  second: () => Promise<Result>,
  writeNumber: number,
): Promise<[Result, Result]> {
  let secondResult: Result | undefined;
  const run = async () => {
    secondResult = await second();
  };
  const firstResult = await interruptions.run({ writes: 0, writeNumber, run }, first);
  if (secondResult === undefined) await run();
  return [firstResult, secondResult as Result];
}
