import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundledAssets } from '../../../infra/build/assets.ts';
import { docsAssets } from '../../../infra/build/docs.ts';
import { entryPointName, functionEntries } from '../../../infra/build/entries.ts';
import { functionName, functions } from '../../../infra/functions.ts';

/** Rewrites zod's import to the usual form. This project's `import * as z` omits zod's translations. */
const usualZodImport: Plugin = {
  name: 'usual-zod-import',
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:shared|functions)\/.*\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      return {
        contents: source.replaceAll("import * as z from 'zod'", "import { z } from 'zod'"),
        loader: 'ts',
      };
    });
  },
};

/** Builds the baseline: the same functions as minified ES modules, without the substitutions of infra/build. */
export async function buildBaseline(directory: string): Promise<void> {
  await build({
    entryPoints: functions.map((row) => ({
      in: entryPointName(row),
      out: path.join(functionName(row), 'index'),
    })),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // CommonJS packages load Node's modules with `require`.
    banner: {
      js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);",
    },
    plugins: [functionEntries, usualZodImport, bundledAssets(docsAssets)],
    logLevel: 'warning',
  });
}
