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

/** The median milliseconds of loading a function, with and without a compile cache in its folder. */
export interface CompileCache {
  function: string;
  withoutCache: number;
  withCache: number;
  /** Whether Node used the cache in a read-only copy of the folder. */
  isAcceptedInCopy: boolean;
  /** Whether Node used the cache as another user; undefined if this process can't change users. */
  isAcceptedByOtherUser: boolean | undefined;
}

/** Enables a portable cache and loads the function, as a deployed loader with a cache would. */
const loader = `
const { enableCompileCache } = require('node:module');
if (process.argv[2] === 'cached') enableCompileCache({ directory: __dirname + '/cache', portable: true });
const startedAt = performance.now();
exports.handler = require('./function.cjs').handler;
if (process.argv[2]) console.log(performance.now() - startedAt);
`;
const otherUserId = 65_534;

/**
 * Tests whether a compile cache can be deployed in the zip. One run creates the cache, then the folder is copied and
 * made read-only. For another user the cache is renamed, since Node names it after its version, the architecture and
 * the user id.
 */
export async function measureCompileCache(functionName: string, rounds: number): Promise<CompileCache> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-cache-'));
  const [original, copy] = [path.join(directory, 'original'), path.join(directory, 'copy')];
  await build(path.join(directory, 'functions'));
  mkdirSync(original);
  cpSync(
    path.join(directory, 'functions', functionName, 'function.cjs'),
    path.join(original, 'function.cjs'),
  );
  writeFileSync(path.join(original, 'index.cjs'), loader);
  load(original, 'cached');
  cpSync(original, copy, { recursive: true });
  for (const file of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
    chmodSync(path.join(copy, file), 0o555);
  chmodSync(copy, 0o555);

  const times: Record<'uncached' | 'cached', number[]> = { uncached: [], cached: [] };
  for (let round = 0; round < rounds; round++) {
    times.uncached.push(load(copy, 'uncached'));
    times.cached.push(load(copy, 'cached'));
  }
  const result = {
    function: functionName,
    withoutCache: median(times.uncached),
    withCache: median(times.cached),
    isAcceptedInCopy: isAccepted(copy),
    isAcceptedByOtherUser: process.getuid?.() === 0 ? isAcceptedByOther(copy) : undefined,
  };
  // Only root can remove the files of a read-only folder.
  chmodSync(copy, 0o755);
  chmodSync(path.join(copy, 'cache'), 0o755);
  rmSync(directory, { recursive: true, force: true });
  return result;
}

function load(directory: string, mode: 'uncached' | 'cached'): number {
  return Number(execFileSync(process.execPath, [path.join(directory, 'index.cjs'), mode]));
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
  renameSync(path.join(cache, name), path.join(cache, name.replace(/\d+$/, `${otherUserId}`)));
  chmodSync(cache, 0o555);
  return isAccepted(directory, otherUserId);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
