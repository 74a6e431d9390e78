import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bugs } from './bugs.ts';
import { runBatch } from './processes.ts';

/**
 * `node test/simulation/find-bugs.ts [<part of a name>]`: runs histories with one deliberate bug after the other, until
 * one breaks an invariant, and writes the table of bugs.md. Fails when a bug that the table has a seed for is not found
 * within 500 seeds, or SEEDS, or when its text has changed.
 */
const maximumSeeds = Number(process.env.SEEDS ?? 500);
const file = path.join(import.meta.dirname, 'bugs.md');
const [head = '', table = ''] = readFileSync(file, 'utf8').split('|---|---|---|\n');
const rows = new Map(table.split('\n').map((row) => [row.split(' | ')[0]?.slice(2), row]));
const queue = bugs.filter(({ name }) => name.includes(process.argv[2] ?? ''));

async function findBugs(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { name, scenario, replacements } = next;
    const runs = [{ scenario, first: 1, count: maximumSeeds }];
    const results = await runBatch({ runs, bug: replacements, untilFailure: true });
    const found = results.find(({ violation }) => violation);
    if (!found && (results.length === 0 || / \| \d+ \| /.test(rows.get(name) ?? ''))) process.exitCode = 1;
    const seed = found?.seed ?? `not within ${results.length}`;
    rows.set(name, `| ${name} | ${seed} | ${found?.violation ?? ''} |`);
    console.log(rows.get(name));
  }
}
await Promise.all([findBugs(), findBugs()]);
const lines = bugs.map(({ name }) => rows.get(name) ?? `| ${name} | not tried | |`);
writeFileSync(file, `${head}|---|---|---|\n${lines.join('\n')}\n`);
