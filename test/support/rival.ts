import { expect } from 'vitest';
import { documentClient } from '../../shared/dynamo/read.ts';

/**
 * Runs an operation in this process, and another one after its first query, or in place of that before or after its first
 * write.
 */
export async function withRival(
  rival: () => Promise<unknown>,
  run: () => Promise<unknown>,
  moment: 'query' | 'write' | 'written' = 'query',
): Promise<void> {
  let hasRun = false;
  const runRival = async () => {
    hasRun = true;
    await rival();
  };
  const isWrite = (command: string) => /^(TransactWrite|Update)/.test(command);
  documentClient().middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!hasRun && moment === 'write' && isWrite(commandName)) await runRival();
        const answer = await next(args);
        if (!hasRun && moment === 'query' && commandName === 'QueryCommand') await runRival();
        if (!hasRun && moment === 'written' && isWrite(commandName)) await runRival();
        return answer;
      },
    { name: `rival at the ${moment}`, step: 'initialize' },
  );
  try {
    await run();
  } finally {
    documentClient().middlewareStack.remove(`rival at the ${moment}`);
  }
  expect(hasRun).toBe(true);
}
