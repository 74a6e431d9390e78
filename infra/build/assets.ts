import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** Contents by name, produced when a bundle imports them. */
export type Assets = Record<string, () => Promise<string | Buffer>>;

/**
 * Lets a function import `asset:<name>` as text: gzipped and base64-encoded, as API Gateway accepts a binary response.
 * The deployed folder remains a single file, and no request waits for compression.
 */
export function bundledAssets(assets: Assets): Plugin {
  return {
    name: 'assets',
    setup(build) {
      build.onResolve({ filter: /^asset:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'asset' }));
      build.onLoad({ filter: /.*/, namespace: 'asset' }, async ({ path }) => {
        const content = assets[path];
        if (!content) return { errors: [{ text: `There is no asset ${path}` }] };
        const zipped = await promisify(gzip)(await content(), { level: 9 });
        return { contents: zipped.toString('base64'), loader: 'text' };
      });
    },
  };
}
