import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { HistoryResult } from './history.ts';

const program = path.join(import.meta.dirname, 'main.ts');

export type Summary = Omit<HistoryResult, 'story'>;

/** Runs histories in a process of their own. @returns their results in the order of the seeds */
export async function runHistories(first: number, count: number, args: string[] = []): Promise<Summary[]> {
  const all = [program, '--json', '--seed', `${first}`, '--count', `${count}`, ...args];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const results: Summary[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) results.push(JSON.parse(line));
  });
  await once(child, 'close');
  const isComplete = results.length === count || args.includes('--until-failure');
  if (!isComplete) throw new Error(`${results.length} of ${count} histories ran: the process failed`);
  return results;
}

/** Runs histories in two processes at the same time, each with half of the seeds. */
export async function runInTwoProcesses(
  first: number,
  count: number,
  args: string[] = [],
): Promise<Summary[]> {
  const half = Math.ceil(count / 2);
  const parts = [runHistories(first, half, args), runHistories(first + half, count - half, args)];
  return (await Promise.all(parts)).flat();
}

/** Explains a failing seed: its shortened history, with the command that repeats it. */
export async function explain(seed: number, args: string[] = []): Promise<string> {
  const child = spawn(process.execPath, [program, '--seed', `${seed}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  return output;
}
