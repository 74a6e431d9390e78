import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
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

const pageDirectory = path.resolve(import.meta.dirname, '..', '..', 'shared', 'http', 'docs');
const swaggerUiDirectory = path.dirname(
  createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
);

const fontDirectory = path.join(
  path.dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf',
);

const passDirectory = path.resolve(import.meta.dirname, '..', '..', 'shared', 'tickets', 'passes');

/** The files that bundles can contain. */
export const assets: Assets = {
  // functions/docs serves these.
  'openapi.json': generateOpenApi,
  'reference.html': () => readFile(path.join(pageDirectory, 'reference.html')),
  'reference.js': () => readFile(path.join(pageDirectory, 'reference.js')),
  'reference.css': () => readFile(path.join(pageDirectory, 'reference.css')),
  'swagger-ui.js': () => readFile(path.join(swaggerUiDirectory, 'swagger-ui-bundle.js')),
  'swagger-ui.css': () => readFile(path.join(swaggerUiDirectory, 'swagger-ui.css')),
  // Passes for Apple Wallet use these.
  'icon.png': () => readFile(path.join(passDirectory, 'icon.png')),
  'icon@2x.png': () => readFile(path.join(passDirectory, 'icon@2x.png')),
  'icon@3x.png': () => readFile(path.join(passDirectory, 'icon@3x.png')),
  // Printed tickets use these.
  'regular.ttf': () => readFile(path.join(fontDirectory, 'DejaVuSans.ttf')),
  'bold.ttf': () => readFile(path.join(fontDirectory, 'DejaVuSans-Bold.ttf')),
};

/** Generates the OpenAPI document from the handlers' contracts, in a process that loads them all. */
export async function generateOpenApi(): Promise<string> {
  const program = path.join(import.meta.dirname, '..', 'openapi', 'main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/** The ES module of pdfkit needs import.meta, which CommonJS lacks. */
export const alias = { pdfkit: createRequire(import.meta.url).resolve('pdfkit') };
