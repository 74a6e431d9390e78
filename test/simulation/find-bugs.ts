import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bugs } from './bugs.ts';
import { runHistories } from './processes.ts';

/**
 * `node test/simulation/find-bugs.ts [<part of a name>]`: runs histories with one deliberate bug after the other, until
 * one breaks an invariant, and writes bugs.md. Fails when a bug is not found within 500 seeds, or its text has changed.
 */
const maximumSeeds = Number(process.env.SEEDS ?? 500);
const wanted = process.argv[2] ?? '';
const directory = mkdtempSync(path.join(tmpdir(), 'bugs-'));
const queue = bugs.filter(({ name }) => name.includes(wanted));
const rows = new Map<string, string>();

async function findBugs(worker: number): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { name, replacements } = next;
    const bugFile = path.join(directory, `${worker}.json`);
    writeFileSync(bugFile, JSON.stringify(replacements));
    const results = await runHistories(1, maximumSeeds, ['--bug', bugFile, '--until-failure']).catch(
      () => [],
    );
    const found = results.find(({ violation }) => violation);
    if (!found) process.exitCode = 1;
    rows.set(
      name,
      `| ${name} | ${found?.seed ?? `not within ${results.length}`} | ${found?.violation ?? ''} |`,
    );
    console.log(rows.get(name));
  }
}
await Promise.all([findBugs(1), findBugs(2)]);
if (!wanted) {
  const lines = bugs.flatMap(({ name }) => rows.get(name) ?? []);
  const head = `# Deliberate bugs

Each bug was put into the service by itself (bugs.ts). The table has the first seed from 1 on that finds it, and the
invariant that the bug breaks there. \`node test/simulation/find-bugs.ts\` writes this file.

| bug | seed | invariant |
|---|---|---|
`;
  writeFileSync(path.join(import.meta.dirname, 'bugs.md'), `${head}${lines.join('\n')}\n`);
}
