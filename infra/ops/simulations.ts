import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Runs the simulation in a process of its own, since it replaces the clock of its process. */
export const simulateFaults = (args: string[]) => runProgram('../../test/simulation/main.ts', args);

/** Simulates a sale against the limits of AWS. */
export const simulateSale = () => runProgram('../../test/bench/scale/simulate.ts', []);

async function runProgram(file: string, args: string[]): Promise<void> {
  const program = path.resolve(import.meta.dirname, file);
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
