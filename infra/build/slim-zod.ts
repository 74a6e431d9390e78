import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The modules of zod that convert schemas to JSON Schema. Each schema refers to them when it is created. */
const converters = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;

/**
 * Removes zod's conversion to JSON Schema from bundles, 17 KB in every function. Functions don't need it, since the API
 * reference is generated from the sources. Empty functions with the same names replace the exports.
 */
export const slimZod: Plugin = {
  name: 'slim-zod',
  setup({ onLoad }) {
    onLoad({ filter: converters }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const names = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      return { contents: names.map((name) => `export function ${name}() {}`).join('\n') };
    });
  },
};
