import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundledAssets } from '../../../infra/build/assets.ts';
import { docsAssets } from '../../../infra/build/docs.ts';
import { entryPointName, functionEntries } from '../../../infra/build/entries.ts';
import { functionName, functions } from '../../../infra/functions.ts';

/** The usual import. This project's sources use `import * as z`, which omits zod's languages. */
const plainZod: Plugin = {
  name: 'plain-zod',
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

/** The baseline for the build: the same functions as minified ES modules, without its substitutions. */
export async function straightforwardBuild(directory: string): Promise<void> {
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
    plugins: [functionEntries, plainZod, bundledAssets(docsAssets)],
    logLevel: 'warning',
  });
}
