import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from '../../../infra/build/build.ts';

/** Milliseconds to load a function with and without a compile cache beside it; medians. */
export interface CompileCache {
  function: string;
  without: number;
  with: number;
  /** Whether Node used the cache from another, read-only folder, and as another user if this process can change users. */
  movedAccepted: boolean;
  otherUserAccepted: boolean | undefined;
}

/** Loads the function behind a portable cache, as the deployed index.cjs would. */
const loader = `
const { enableCompileCache } = require('node:module');
if (process.argv[2] === 'cached') enableCompileCache({ directory: __dirname + '/cache', portable: true });
const begun = performance.now();
exports.handler = require('./function.cjs').handler;
if (process.argv[2]) console.log(performance.now() - begun);
`;
const otherUser = 65_534;

/**
 * Tests whether a compile cache can be deployed in the zip. Node names the cache's folder after its version, the
 * architecture and the user. So one run creates it, and it is renamed for Lambda's user and made read-only.
 */
export async function measureCompileCache(functionName: string, rounds: number): Promise<CompileCache> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-cache-'));
  const [made, moved] = [path.join(directory, 'made'), path.join(directory, 'task')];
  await build(path.join(directory, 'functions'));
  mkdirSync(made);
  cpSync(path.join(directory, 'functions', functionName, 'function.cjs'), path.join(made, 'function.cjs'));
  writeFileSync(path.join(made, 'index.cjs'), loader);
  load(made, 'cached');
  cpSync(made, moved, { recursive: true });
  for (const file of readdirSync(moved, { recursive: true, encoding: 'utf8' }))
    chmodSync(path.join(moved, file), 0o555);
  chmodSync(moved, 0o555);

  const times: Record<'plain' | 'cached', number[]> = { plain: [], cached: [] };
  for (let round = 0; round < rounds; round++) {
    times.plain.push(load(moved, 'plain'));
    times.cached.push(load(moved, 'cached'));
  }
  const result = {
    function: functionName,
    without: median(times.plain),
    with: median(times.cached),
    movedAccepted: isAccepted(moved),
    otherUserAccepted: process.getuid?.() === 0 ? isAcceptedByOther(moved) : undefined,
  };
  rmSync(directory, { recursive: true, force: true });
  return result;
}

function load(directory: string, how: 'plain' | 'cached'): number {
  return Number(execFileSync(process.execPath, [path.join(directory, 'index.cjs'), how]));
}

function isAccepted(directory: string, uid?: number): boolean {
  const env = { ...process.env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const file = path.join(directory, 'index.cjs');
  const { stderr } = spawnSync(process.execPath, [file, 'cached'], { env, uid, encoding: 'utf8' });
  return stderr.includes('function.cjs was accepted');
}

function isAcceptedByOther(directory: string): boolean {
  chmodSync(path.dirname(directory), 0o755);
  const cache = path.join(directory, 'cache');
  const [name = ''] = readdirSync(cache);
  chmodSync(cache, 0o755);
  renameSync(path.join(cache, name), path.join(cache, name.replace(/\d+$/, `${otherUser}`)));
  chmodSync(cache, 0o555);
  return isAccepted(directory, otherUser);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
