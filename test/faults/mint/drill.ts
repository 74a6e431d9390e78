import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { mutants } from './mutants.ts';

/**
 * `npm run drill -- [seeds] [orders] [orders per mutant]`: all faults mixed, by default three seeds of 1,000 orders
 * each, then the drill's own test: it must detect each mutant within 300 orders, which are enough for every kind of
 * fault to occur. 0 leaves the mutants out.
 */
const run = promisify(execFile);
const [seeds = 3, orders = 1_000, mutantOrders = 300] = process.argv.slice(2).map(Number);
const script = path.join(import.meta.dirname, 'drill-seed.ts');

interface Outcome {
  seed: number;
  seconds: number;
  soldSeconds: number;
  kills: number;
  injected: Record<string, number>;
  audit: Record<string, number | string[]>;
  problems: number;
  firstProblems: string[];
}

async function drill(seed: number, count: number, mutant?: string): Promise<Outcome> {
  const parameters = [script, String(seed), String(count), ...(mutant ? [mutant] : [])];
  const { stdout, stderr } = await run(process.execPath, parameters, { maxBuffer: 2 ** 28 }).catch(
    (error) => error,
  );
  const line = String(stdout).trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{"seed"')) throw new Error(`Seed ${seed} ended without an outcome: ${stderr}`);
  return JSON.parse(line);
}

let isGood = true;
for (let seed = 1; seed <= seeds; seed++) {
  const { injected, audit, problems, firstProblems, seconds, kills } = await drill(seed, orders);
  console.log(`\nSeed ${seed}: ${seconds} s, ${kills} workers killed. Injected:`);
  console.table(injected);
  console.log(audit);
  console.log(
    problems === 0 ? 'No problems.' : `${problems} problems, such as:\n${firstProblems.join('\n')}`,
  );
  isGood &&= problems === 0;
}
for (const mutant of mutantOrders > 0 ? Object.keys(mutants) : []) {
  const { problems, firstProblems } = await drill(1, mutantOrders, mutant);
  console.log(
    `\nMutant "${mutant}": ${problems === 0 ? 'NOT DETECTED' : `detected, ${problems} problems, such as:`}`,
  );
  console.log(firstProblems.slice(0, 2).join('\n'));
  isGood &&= problems > 0;
}
process.exitCode = isGood ? 0 : 1;
