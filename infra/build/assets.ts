import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** Functions that return the content of an asset, by its name. The build calls those that a bundle imports. */
export type Assets = Record<string, () => Promise<string | Buffer>>;

/**
 * Resolves imports of `asset:<name>` to a text: the asset, gzipped and base64-encoded, as API Gateway expects a binary
 * response. So the asset is part of the bundle, and no request waits for compression.
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
