import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Runs the simulation in a process of its own, since it replaces the clock of its process. */
export async function simulateFaults(args: string[]): Promise<void> {
  const program = path.resolve(import.meta.dirname, '../../test/simulation/main.ts');
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
