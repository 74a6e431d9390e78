import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Replacement } from './core/build.ts';
import type { HistoryResult, ScenarioName } from './history.ts';

/** Histories of one scenario, with seeds one after the other. */
export interface Run {
  scenario: ScenarioName;
  first: number;
  count: number;
}

export interface Batch {
  runs: Run[];
  /** A deliberate bug. */
  bug?: readonly Replacement[];
  /** Whether the first failing history is the last one. */
  untilFailure?: boolean;
}

export type Summary = Omit<HistoryResult, 'story'>;

const start = (program: string, args: string[] = []) =>
  spawn(process.execPath, [path.join(import.meta.dirname, program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });

async function readOutput(child: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<string> {
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return output;
}

/**
 * Runs histories in a process of their own, since the simulation replaces the clock of its process.
 * @returns their results in the order of the batch
 * @throws Error when the process fails
 */
export async function runBatch(batch: Batch): Promise<Summary[]> {
  const child = start('batch.ts');
  child.stdin.end(JSON.stringify(batch));
  const lines = (await readOutput(child)).split('\n').filter((line) => line.startsWith('{'));
  const expected = batch.runs.reduce((sum, { count }) => sum + count, 0);
  const isComplete = lines.length === expected || batch.untilFailure;
  if (!isComplete) throw new Error(`${lines.length} of ${expected} histories ran: the process failed`);
  return lines.map((line) => JSON.parse(line));
}

/** Runs histories in two processes at the same time, each with half of the seeds of each run. */
export async function runInTwoProcesses(runs: readonly Run[]): Promise<Summary[]> {
  const halves = runs.map(({ scenario, first, count }) => {
    const half = Math.ceil(count / 2);
    return [
      { scenario, first, count: half },
      { scenario, first: first + half, count: count - half },
    ] as const;
  });
  const [firsts, seconds] = [halves.map(([half]) => half), halves.map(([, half]) => half)];
  return (await Promise.all([runBatch({ runs: firsts }), runBatch({ runs: seconds })])).flat();
}

/** Explains a failing history: what happened, shortened, with the command that repeats it. */
export function explain({ seed, scenario }: Summary): Promise<string> {
  return readOutput(start('main.ts', ['--seed', `${seed}`, '--scenario', scenario]));
}
