import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { build, bundleDirectory } from '../../infra/build/build.ts';
import { functions } from '../../infra/functions.ts';

const root = path.resolve(import.meta.dirname, '..', '..');

it('ops trace prints the lines of the source for the stack trace of a deployed bundle', {
  timeout: 300_000,
}, async () => {
  const [row] = functions.filter(({ entry }) => entry === 'workers/sweep');
  if (!row) throw new Error('There is no sweep');
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-trace-'));
  const [bundles, maps] = [path.join(directory, 'functions'), path.join(directory, 'maps')];
  await build(bundles, maps, [row]);
  expect(readdirSync(bundleDirectory(row, bundles)).sort()).toEqual(['function.cjs', 'index.mjs']);

  // Without TABLE_NAME the sweep throws in shared/runtime/config.ts.
  const program = `import(process.argv[1]).then(({ handler }) => handler({}, { getRemainingTimeInMillis: () => 1_000 })).catch(({ stack }) => console.log(stack))`;
  const index = path.join(bundleDirectory(row, bundles), 'index.mjs');
  // Otherwise the priming looks for credentials on the network.
  const env = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  const { stdout } = spawnSync(process.execPath, ['-e', program, index], { env, encoding: 'utf8' });
  expect(stdout).toMatch(/^Error: TABLE_NAME is not configured\n.*function\.cjs:\d+:\d+/);

  const source = readFileSync(path.join(root, 'shared/runtime/config.ts'), 'utf8').split('\n');
  const thrownAt = source.findIndex((line) => line.includes('} is not configured')) + 1;
  const file = path.join(directory, 'log');
  for (const text of [stdout, JSON.stringify({ level: 'ERROR', stack: stdout })]) {
    writeFileSync(file, text);
    const options = ['--function', 'boxoffice-production-workers-sweep', '--maps', maps, '--file', file];
    const traced = spawnSync(process.execPath, ['infra/ops/main.ts', 'trace', ...options], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(traced.stderr).toBe('');
    expect(traced.stdout).toContain(`(shared/runtime/config.ts:${thrownAt}:`);
    expect(traced.stdout).toContain('shared/dynamo/read.ts:');
    expect(traced.stdout).not.toContain('function.cjs');
  }
});
