import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { mutants } from './mutants.ts';

/**
 * `npm run nightly -- mint -- [seeds] [orders] [orders per mutant]`: mints orders under all kinds of faults, by default 1,000
 * orders for each of three seeds. Then it checks itself: it must detect each mutant (mutants.ts) within 300 orders,
 * which are enough for every kind of fault to occur. With 0 orders per mutant it skips the mutants.
 */
const run = promisify(execFile);
const [seeds = 3, orders = 1_000, mutantOrders = 300] = process.argv.slice(2).map(Number);
const script = path.join(import.meta.dirname, 'drill-seed.ts');

interface Outcome {
  seed: number;
  seconds: number;
  /** The time until the orders were sold and the reissues requested. */
  soldSeconds: number;
  /** How often a worker was killed. */
  kills: number;
  /** The number of injected faults of each kind. */
  injected: Record<string, number>;
  /** The counts of scenario.audit(). */
  audit: Record<string, number | string[]>;
  problems: number;
  firstProblems: string[];
}

async function runSeed(seed: number, count: number, mutant?: string): Promise<Outcome> {
  const args = [script, String(seed), String(count), ...(mutant ? [mutant] : [])];
  const { stdout, stderr } = await run(process.execPath, args, { maxBuffer: 2 ** 28 }).catch(
    (error) => error,
  );
  const line = String(stdout).trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{"seed"')) throw new Error(`Seed ${seed} ended without an outcome: ${stderr}`);
  return JSON.parse(line);
}

let hasPassed = true;
for (let seed = 1; seed <= seeds; seed++) {
  const { injected, audit, problems, firstProblems, seconds, kills } = await runSeed(seed, orders);
  console.log(`\nSeed ${seed}: ${seconds} s, ${kills} workers killed. Injected:`);
  console.table(injected);
  console.log(audit);
  console.log(
    problems === 0 ? 'No problems.' : `${problems} problems, such as:\n${firstProblems.join('\n')}`,
  );
  hasPassed &&= problems === 0;
}
for (const mutant of mutantOrders > 0 ? Object.keys(mutants) : []) {
  const { problems, firstProblems } = await runSeed(1, mutantOrders, mutant);
  console.log(
    `\nMutant "${mutant}": ${problems === 0 ? 'NOT DETECTED' : `detected, ${problems} problems, such as:`}`,
  );
  console.log(firstProblems.slice(0, 2).join('\n'));
  hasPassed &&= problems > 0;
}
process.exitCode = hasPassed ? 0 : 1;
