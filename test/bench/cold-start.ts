import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, bundleDirectory } from '../../infra/build/build.ts';
import { functions } from '../../infra/functions.ts';

export interface ColdStart {
  entry: string;
  kilobytes: number;
  /** Milliseconds to load the bundle in a fresh process: the fastest run, since other programs only ever add time. */
  load: number;
}

const rounds = 3;
const load =
  'const start = performance.now(); require(process.argv[1]); console.log(performance.now() - start);';

/** Loads every bundle in fresh processes. @returns the slowest first */
export async function measureColdStarts(): Promise<ColdStart[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-cold-'));
  await build(directory);
  const starts = functions.map((row): ColdStart => {
    const file = path.join(bundleDirectory(row, directory), 'function.cjs');
    const times = Array.from({ length: rounds }, () =>
      Number(execFileSync(process.execPath, ['-e', `${load} process.exit();`, file], { stdio: 'pipe' })),
    );
    return { entry: row.entry, kilobytes: statSync(file).size / 1000, load: Math.min(...times) };
  });
  rmSync(directory, { recursive: true });
  return starts.toSorted((a, b) => b.load - a.load);
}
