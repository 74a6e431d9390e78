import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { type Child, startChild, untilReady } from '../../infra/local/services/process.ts';
import type { StackDescription } from '../../infra/local/stack.ts';
import { eventually } from './eventually.ts';
import { isQueueIdle } from './queue-state.ts';

const main = path.resolve(import.meta.dirname, '..', '..', 'infra', 'local', 'main.ts');
const startSeconds = 60;

export interface Stack extends StackDescription {
  /** Invokes a function. @throws Error when the function fails */
  invoke<Result = unknown>(functionName: string, event?: unknown): Promise<Result>;
  /**
   * Runs the sweep, as the schedule does each minute, and waits until its workers are idle. Messages about holds that
   * have not ended yet stay delayed in their queue.
   */
  sweep(): Promise<void>;
}

export interface SeparateStack extends Stack {
  /** The folder with functions.log, stack.log (the stack's output) and the data. */
  dataDir: string;
  stop(): Promise<void>;
  /** Kills all processes of the stack. A new stack with the same dataDir has the same addresses. */
  kill(): Promise<void>;
}

/** Returns the stack that all integration tests and journeys share. It contains the data of other tests. */
export function sharedStack(): Stack {
  return withInvoke(inject('stack'));
}

/**
 * Starts a separate stack in a child process, on free ports, in about five seconds.
 * @param overrides.env variables that replace those of the test run; an empty value means "not configured"
 * @param overrides.dataDir a folder that `stop` keeps; by default a temporary one, which `stop` removes
 * @throws Error with the stack's output when it does not become ready
 */
export async function startStack(
  overrides: { env?: Record<string, string>; dataDir?: string } = {},
): Promise<SeparateStack> {
  const dataDir = overrides.dataDir ?? mkdtempSync(path.join(tmpdir(), 'boxoffice-test-'));
  const log = path.join(dataDir, 'stack.log');
  rmSync(log, { force: true });
  const env = { ...process.env, PORT: '0', BOXOFFICE_DATA_DIR: dataDir, ...overrides.env };
  const child = startChild([process.execPath, main], { log, env, signal: 'TERM' });
  if (!(await untilReady(async () => requireText(log, 'Boxoffice is ready'), child.ended, startSeconds))) {
    await child.stop();
    throw new Error(`The stack did not start:\n${readFileSync(log, 'utf8')}`);
  }
  const description = JSON.parse(readFileSync(path.join(dataDir, 'stack.json'), 'utf8')) as StackDescription;
  return {
    ...withInvoke(description),
    dataDir,
    ...processControls(child, overrides.dataDir ? undefined : dataDir),
  };
}

function processControls(child: Child, temporaryDir: string | undefined) {
  return {
    kill: () => child.kill(),
    stop: async () => {
      await child.stop();
      if (temporaryDir) rmSync(temporaryDir, { recursive: true, force: true });
    },
  };
}

function withInvoke(description: StackDescription): Stack {
  const invoke = async <Result>(functionName: string, event: unknown = {}): Promise<Result> => {
    const url = `${description.lambdaUrl}/2015-03-31/functions/${functionName}/invocations`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(event) });
    const text = await response.text();
    if (!response.ok || response.headers.has('x-amz-function-error')) {
      throw new Error(`${functionName}: ${text}`);
    }
    return JSON.parse(text) as Result;
  };
  const sweep = async () => {
    await invoke('workers-sweep');
    for (const queue of ['settle', 'event']) {
      await eventually(`The workers of ${queue} are idle`, () =>
        isQueueIdle(description.queueUrls[queue] ?? ''),
      );
    }
  };
  return { ...description, invoke, sweep };
}

function requireText(file: string, text: string): void {
  if (!readFileSync(file, 'utf8').includes(text)) throw new Error(`${file} does not contain "${text}" yet`);
}
