import { json } from 'node:stream/consumers';
import { print } from './core/globals.ts';
import type { Batch } from './processes.ts';
import { Runner } from './program.ts';

// Runs the histories of a batch, which it reads as JSON. Prints the result of each as a line of JSON: see processes.ts.

const { runs, bug = [], untilFailure = false } = (await json(process.stdin)) as Batch;
const runner = await Runner.create(bug);
for (const { scenario, first, count } of runs) {
  for (let seed = first; seed < first + count; seed++) {
    const { story: _, ...summary } = await runner.run({ seed, scenario });
    print(JSON.stringify(summary));
    if (summary.violation && untilFailure) process.exit();
  }
}
