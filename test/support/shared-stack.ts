import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { unprimedMessage } from '../../infra/local/lambda/log.ts';
import type { StackDescription } from '../../infra/local/stack.ts';
import { findLeaks } from './find-leaks.ts';
import { startStack } from './stack.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackDescription;
    /** The path of the functions' log; undefined for a stack that this run did not start. */
    functionLog?: string;
  }
}

/**
 * Starts the stack that integration tests and journeys share. After the tests, reconciles its inventory, ledger and codes,
 * and searches its log for secrets and personal data. BOXOFFICE_STACK selects another stack: the path of a running
 * stack's stack.json, or the base URL of a deployed stage (for tests that need only the API).
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const location = process.env.BOXOFFICE_STACK;
  if (location) {
    project.provide('stack', describeStack(location));
    return undefined;
  }
  const { invoke, sweep, stop, kill, dataDir, ...description } = await startStack();
  const functionLog = path.join(dataDir, 'functions.log');
  project.provide('stack', description);
  project.provide('functionLog', functionLog);
  return async () => {
    const differences = ['reconcile-inventory', 'reconcile-ledger', 'reconcile-promo-codes'].flatMap(
      (command) => reconcile(command, dataDir),
    );
    const log = readFileSync(functionLog, 'utf8');
    await stop();
    if (differences.length > 0)
      throw new Error(`The reconciliations found differences:\n${differences.join('\n')}`);
    const leaks = findLeaks(log);
    const unprimedCommands = log.split('\n').filter((line) => line.includes(unprimedMessage));
    if (unprimedCommands.length > 0)
      throw new Error(`The init phase did not prime these AWS commands:\n${unprimedCommands.join('\n')}`);
    if (leaks.length > 0)
      throw new Error(`The functions logged secrets or personal data:\n${leaks.join('\n')}`);
  };
}

/** Runs an operator's reconciliation on the stack's table. @returns its output when it finds differences */
function reconcile(command: string, dataDir: string): string[] {
  const script = path.join(import.meta.dirname, '..', '..', 'infra', 'ops', 'main.ts');
  const env = { ...process.env, BOXOFFICE_DATA_DIR: dataDir };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, command], {
    env,
    encoding: 'utf8',
  });
  return status === 0 ? [] : [`${command}: ${stdout}${stderr}`];
}

function describeStack(location: string): StackDescription {
  if (/^https?:/.test(location)) return { apiUrl: location.replace(/\/$/, '') } as StackDescription;
  return JSON.parse(readFileSync(location, 'utf8'));
}
