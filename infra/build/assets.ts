import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** Contents by name, made when a bundle asks for them. */
export type Assets = Record<string, () => Promise<string | Buffer>>;

/**
 * Lets a function import `asset:<name>` as text: the content gzipped and in base64, as API Gateway takes a binary
 * answer. So the folder that is deployed stays one file, and nothing is compressed while somebody waits.
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
