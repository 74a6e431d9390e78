import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build as bundle, type Plugin } from 'esbuild';
import {
  definitionsFile,
  type FunctionRow,
  functionName,
  functions,
  isBehindFront,
  type TableAction,
} from '../functions.ts';
import { alias, assets, bundledAssets } from './assets.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
export const outputDirectory = path.join(root, 'dist', 'functions');
/** The source maps of a release. They are not deployed: `npm run ops -- trace` reads them. */
export const sourceMapDirectory = path.join(root, 'dist', 'maps');

/** The folder and the name of the function that buys a ticket every five minutes, on stages that want it. */
export const syntheticPurchase = 'synthetic-purchase';

/** Returns the deployed folder of a row. It contains the bundle function.cjs, and index.mjs, which loads the bundle. */
export function bundleDirectory(row: FunctionRow, directory = outputDirectory): string {
  return path.join(directory, functionName(row));
}

/**
 * The module that Lambda loads. It is an ES module, since only an ES module can await the priming
 * (shared/runtime/prime.ts) while it loads. So the priming is part of the init phase.
 */
const loader = `import { createRequire } from 'node:module';
const { handler, primed } = createRequire(import.meta.url)('./function.cjs');
await primed;
export { handler };
`;

/**
 * Bundles every row into its deployed folder. The format is CommonJS, since it starts faster than ESM on Lambda
 * (importing node:http as ESM costs 15 to 19 ms) and jsonwebtoken is CommonJS. Writes esbuild's metafile, with the inputs
 * of each bundle, to metafile.json, and the rows to definitions.json.
 * @param maps the folder for the bundles' source maps; default no maps
 */
export async function build(
  directory = outputDirectory,
  maps?: string,
  rows: readonly FunctionRow[] = functions,
): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const { metafile } = await bundle({
    entryPoints: [
      ...rows.map((row) => ({ in: entryPointName(row), out: path.join(functionName(row), 'function') })),
      { in: path.join(root, 'infra', 'synthetic', 'handler.ts'), out: path.join(syntheticPurchase, 'index') },
    ],
    outdir: directory,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    keepNames: false,
    sourcemap: maps ? 'external' : false,
    sourcesContent: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    alias,
    plugins: [functionEntries, bundledAssets(assets)],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  for (const row of rows) await writeFile(path.join(bundleDirectory(row, directory), 'index.mjs'), loader);
  if (maps) await moveSourceMaps(directory, maps, rows);
  await writeFile(path.join(directory, 'metafile.json'), JSON.stringify(metafile));
  await writeFile(definitionsFile(directory), JSON.stringify(rows));
}

export const sourceMapFile = (name: string, maps = sourceMapDirectory) => path.join(maps, `${name}.json`);

/** Moves the source maps out of the deployed folders, with sources as paths from the repository's root. */
async function moveSourceMaps(directory: string, maps: string, rows: readonly FunctionRow[]): Promise<void> {
  await rm(maps, { recursive: true, force: true });
  await mkdir(maps, { recursive: true });
  await rm(path.join(directory, syntheticPurchase, 'index.cjs.map'));
  for (const row of rows) {
    const bundleFolder = bundleDirectory(row, directory);
    const file = path.join(bundleFolder, 'function.cjs.map');
    const map: { sources: string[] } = JSON.parse(await readFile(file, 'utf8'));
    const sources = map.sources.map((source) => path.relative(root, path.resolve(bundleFolder, source)));
    await writeFile(sourceMapFile(functionName(row), maps), JSON.stringify({ ...map, sources }));
    await rm(file);
  }
}

const namespace = 'function';

/** Returns the name of a row's entry point for esbuild. */
export const entryPointName = (row: FunctionRow) => `${namespace}:${row.entry}`;

/**
 * Generates the entry point of a bundle: the handler, and the priming of every command that the row has permission for
 * (shared/runtime/prime.ts).
 */
export const functionEntries: Plugin = {
  name: 'function-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path: name }) => ({
      path: name.slice(namespace.length + 1),
      namespace,
    }));
    onLoad({ filter: /.*/, namespace }, ({ path: entry }) => {
      const row = functions.find((candidate) => candidate.entry === entry);
      if (!row) return { errors: [{ text: `There is no function ${entry}` }] };
      return { contents: entryPointSource(row), loader: 'ts', resolveDir: root };
    });
  },
};

function entryPointSource(row: FunctionRow): string {
  const handler = `export { handler } from './functions/${row.entry}.ts';\n`;
  const steps = primingSteps(row);
  if (steps.length === 0) return handler;
  return `${handler}
import { prime, primeFetch } from './shared/runtime/prime.ts';
import * as table from './shared/dynamo/prime.ts';
import { primeQueue } from './shared/runtime/queue.ts';
import { readSecrets } from './shared/runtime/secrets.ts';
export const primed = prime([${steps.join(', ')}]);
`;
}

function primingSteps(row: FunctionRow): string[] {
  const { indexes = [], sends = [], secrets = [], settings = [], chains, acceptsKeys } = row;
  // The uses of API keys are written.
  const table = [...new Set([...row.table, ...(acceptsKeys ? (['PutItem', 'UpdateItem'] as const) : [])])];
  const writes = table.filter(isTransactWrite);
  return [
    ...(secrets.length > 0 || chains || isBehindFront(row) ? ['readSecrets'] : []),
    ...table.filter(isSingleAction).map((action) => `table.prime${action}`),
    ...(table.includes('GetItem') ? ['table.primeTransactGetItems'] : []),
    ...writes.slice(0, 1).map((action) => `() => table.primeTransactWriteItems('${action}')`),
    ...indexes.map((index) => `() => table.primeQuery('${index}')`),
    ...(chains || settings.some((name) => /^GATEWAY_._URL$/.test(name)) ? ['primeFetch'] : []),
    ...sends.slice(0, 1).map((queue) => `() => primeQueue('${queue}')`),
  ];
}

/** A condition check exists only within a transaction. */
const isSingleAction = (action: TableAction) => action !== 'ConditionCheckItem';
/** IAM has no action for a transaction. It requires the actions of the transaction's writes. */
const isTransactWrite = (action: TableAction) => /^(Put|Update|Delete)Item$/.test(action);

if (import.meta.main) await build(process.argv[2], sourceMapDirectory);
