import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { print } from './core/globals.ts';
import type { Fault } from './core/rates.ts';
import { type HistoryOptions, type HistoryResult, type ScenarioName, scenarios } from './history.ts';
import { Runner } from './program.ts';

const usage =
  'npm run ops -- simulate-faults [--seed <number>] [--count <number>] [--scenario everything] [--length 40] [--only 3,7,12] [--without-faults kill,late] [--trace] [--log] [--no-shrink] [--bug <file>]';

/**
 * Runs histories of the whole service against all faults, one after the other. Prints a failing one, shortened, with
 * the command that repeats it.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '1' },
    length: { type: 'string' },
    scenario: { type: 'string', default: 'everything' },
    only: { type: 'string' },
    'without-faults': { type: 'string' },
    trace: { type: 'boolean', default: false },
    log: { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
    'no-shrink': { type: 'boolean', default: false },
    /** A file with replacements as JSON: a bug. */
    bug: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) print(usage);
else process.exitCode = await main();

async function main(): Promise<number> {
  const runner = await Runner.create(values.bug ? JSON.parse(readFileSync(values.bug, 'utf8')) : []);
  const first = Number(values.seed ?? 1);
  let failures = 0;
  for (let seed = first; seed < first + Number(values.count); seed++) {
    const options = toOptions(seed);
    const result = await runner.run(options);
    if (!result.violation) print(`seed ${seed}: all invariants hold (${result.requests} requests)`);
    if (values.story) for (const line of result.story) print(line);
    if (!result.violation) continue;
    failures++;
    await explain(runner, options, result);
  }
  return failures > 0 ? 1 : 0;
}

function isScenario(name: string): name is ScenarioName {
  return name in scenarios;
}

function toOptions(seed: number): HistoryOptions {
  const scenario = isScenario(values.scenario) ? values.scenario : 'everything';
  const length = Number(values.length ?? scenarios[scenario].length);
  const only = values.only?.split(',').map(Number);
  const all = Array.from({ length }, (_, index) => index + 1);
  return {
    seed,
    length,
    scenario,
    without: new Set(only ? all.filter((number) => !only.includes(number)) : []),
    withoutFaults: new Set((values['without-faults'] ?? '').split(',').filter(Boolean) as Fault[]),
    ...(values.trace && { traceTo: print }),
    ...(values.log && { logTo: print }),
  };
}

async function explain(runner: Runner, options: HistoryOptions, result: HistoryResult): Promise<void> {
  const shortest = values['no-shrink'] || values.only ? options : await runner.shrink(options, result);
  const { story, ran, violation, details } = await runner.run(shortest);
  print(`\nseed ${options.seed}: ${violation}\n${details ?? ''}\n`);
  for (const line of story) print(line);
  const withoutFaults = [...(shortest.withoutFaults ?? [])].join(',');
  const args = [
    `--seed ${options.seed}`,
    ...(options.scenario === 'everything' ? [] : [`--scenario ${options.scenario}`]),
    `--only ${ran.join(',')}`,
    ...(withoutFaults ? [`--without-faults ${withoutFaults}`] : []),
  ];
  print(`\nTo repeat it: npm run ops -- simulate-faults ${args.join(' ')}`);
}
