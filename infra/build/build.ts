import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build as bundle, type Metafile } from 'esbuild';
import { type FunctionRow, functionName, functions } from '../functions.ts';
import { bundledAssets } from './assets.ts';
import { docsAssets } from './docs.ts';
import { entryPointName, functionEntries } from './entries.ts';

export const outputDirectory = path.resolve(import.meta.dirname, '..', '..', 'dist', 'functions');

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
 * (importing node:http as ESM costs 15 to 19 ms) and jsonwebtoken is CommonJS.
 * @returns esbuild's metafile, with the inputs of each file
 */
export async function build(directory = outputDirectory): Promise<Metafile> {
  await rm(directory, { recursive: true, force: true });
  const { metafile } = await bundle({
    entryPoints: functions.map((row) => ({
      in: entryPointName(row),
      out: path.join(functionName(row), 'function'),
    })),
    outdir: directory,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    keepNames: false,
    sourcemap: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    plugins: [functionEntries, bundledAssets(docsAssets)],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  for (const row of functions)
    await writeFile(path.join(bundleDirectory(row, directory), 'index.mjs'), loader);
  return metafile;
}

if (import.meta.main) await build(process.argv[2]);
