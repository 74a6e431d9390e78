import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..', '..');

/**
 * Removes `.meta({ … })` from schemas in every bundle. Descriptions and examples are for the API reference, which is
 * generated from the sources. In a function they would enlarge the bundle, and each call of `meta` would clone a schema
 * in the init phase.
 */
export const stripMetadata: Plugin = {
  name: 'strip-metadata',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      if (!/^(shared|functions)[\\/]/.test(path.relative(root, file))) return undefined;
      const source = await readFile(file, 'utf8');
      return source.includes('.meta(')
        ? { contents: await withoutMetadata(file, source), loader: 'ts' }
        : undefined;
    });
  },
};

/** Returns a module's source without its calls of `.meta`. */
export async function withoutMetadata(file: string, source: string): Promise<string> {
  // Imports Vite's parser only here: a stack with prebuilt functions (BOXOFFICE_FUNCTIONS) does not need it.
  const { parseSync } = await import('vite');
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const calls = metadataCalls(program).sort((a, b) => b.start - a.start);
  return calls.reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), source);
}

interface Range {
  start: number;
  end: number;
}

/** Finds the ranges of `.meta(…)`, from the dot to the closing bracket. No range contains another. */
function metadataCalls(node: unknown): Range[] {
  if (typeof node !== 'object' || node === null) return [];
  // biome-ignore lint/suspicious/noExplicitAny: nodes of many shapes
  const { type, callee, end } = node as any;
  if (type === 'CallExpression' && callee.type === 'MemberExpression' && callee.property.name === 'meta') {
    return [...metadataCalls(callee.object), { start: callee.object.end, end }];
  }
  return Object.values(node).flatMap(metadataCalls);
}
