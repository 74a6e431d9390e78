import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, bundleDirectory } from '../../../infra/build/build.ts';
import { type FunctionRow, functionName, functions } from '../../../infra/functions.ts';
import { resolveConfiguration } from '../../../infra/local/defaults.ts';
import { runAll } from '../load/run-load.ts';
import type { Stack } from '../load/stack.ts';
import { buildBaseline } from './straightforward-build.ts';

export interface ColdStart {
  function: string;
  /** The size of the bundle. */
  bytes: number;
  /** Milliseconds to load the bundle in a fresh process; the fastest run. */
  load: number;
  /** Milliseconds of the first call after priming; the fastest run. */
  call: number;
  /** The same for the baseline, see straightforward-build.ts. */
  baselineBytes: number;
  baselineLoad: number;
  baselineCall: number;
  /** `load` divided by `baselineLoad`. */
  ratio: number;
}

/** Runs of each function. The fastest counts, since other programs on the machine only ever add time. */
const rounds = 7;

const probeFile = path.join(import.meta.dirname, 'probe.ts');

/** Loads and calls every function in fresh processes, alternating with the baseline. */
export async function measureColdStarts(stack: Stack): Promise<ColdStart[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-cold-'));
  const [built, baseline] = [path.join(directory, 'built'), path.join(directory, 'baseline')];
  await build(built);
  await buildBaseline(baseline);
  const { createFirstEvent } = await import('./first-event.ts');
  const event = JSON.stringify(await createFirstEvent(stack.gatewaySecret));
  const env = toEnvironment(stack);

  // Two at a time, since a process uses little more than one core.
  const starts = await runAll(functions, 2, async (row): Promise<ColdStart> => {
    const files = [fileOf(row, built, 'function.cjs'), fileOf(row, baseline, 'index.mjs')] as const;
    const runs: [Run[], Run[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      runs[0].push(await runOnce(files[0], event, env));
      runs[1].push(await runOnce(files[1], event, env));
    }
    const [builtRuns, baselineRuns] = runs;
    return {
      function: functionName(row),
      bytes: statSync(files[0]).size,
      load: fastest(builtRuns, 'load'),
      call: fastest(builtRuns, 'call'),
      baselineBytes: statSync(files[1]).size,
      baselineLoad: fastest(baselineRuns, 'load'),
      baselineCall: fastest(baselineRuns, 'call'),
      ratio: fastest(builtRuns, 'load') / fastest(baselineRuns, 'load'),
    };
  });
  rmSync(directory, { recursive: true });
  return starts;
}

type Run = Record<'load' | 'call', number>;

async function runOnce(file: string, event: string, env: NodeJS.ProcessEnv): Promise<Run> {
  const { stdout } = await promisify(execFile)(process.execPath, [probeFile, file, event], { env });
  return JSON.parse(stdout);
}

function fileOf(row: FunctionRow, directory: string, name: string): string {
  return path.join(bundleDirectory(row, directory), name);
}

/** The environment variables of all functions, since each measured function accepts all of them. */
function toEnvironment({ apiUrl, sandboxUrl, chainRpcUrl, sqsUrl, queueUrls }: Stack): NodeJS.ProcessEnv {
  const queues = Object.entries(queueUrls).map(([name, url]) => [`${name.toUpperCase()}_QUEUE_URL`, url]);
  return {
    ...process.env,
    ...resolveConfiguration({ apiUrl, sandboxUrl, chainRpcUrl }, {}),
    ...Object.fromEntries(queues),
    AWS_ENDPOINT_URL_SQS: sqsUrl,
  };
}

function fastest(runs: readonly Run[], field: keyof Run): number {
  return Math.min(...runs.map((run) => run[field]));
}
