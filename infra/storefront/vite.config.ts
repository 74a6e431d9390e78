import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import prefresh from '@prefresh/vite';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;
const repository = path.resolve(root, '..', '..');
/** The running service that the development server passes requests on to. */
const service = process.env.BOXOFFICE_URL ?? 'http://localhost:3000';

/** Static hosts answer unknown paths with 404.html. It is a copy of index.html, which then shows the not-found page. */
const notFoundPage: Plugin = {
  name: 'not-found-page',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => copyFile(path.join(dir, 'index.html'), path.join(dir, '404.html')),
};

export default defineConfig({
  root,
  plugins: [await prefresh(), notFoundPage],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Resolves `boxoffice-client` to the folder infra/client.
  resolve: { tsconfigPaths: true },
  build: {
    outDir: path.join(repository, 'dist', 'storefront'),
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: 'esnext',
  },
  server: {
    proxy: { '/api': service, '/docs': service, '/config.json': service },
    fs: { allow: [root, path.join(root, '..', 'client'), path.join(repository, 'node_modules')] },
  },
});
