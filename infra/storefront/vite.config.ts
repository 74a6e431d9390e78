import { createHash } from 'node:crypto';
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

const workerEntry = 'service-worker';
/** The script of `<boxoffice-tickets>`. Other sites load it, so its address stays. */
const elementEntry = 'embed';

/** Names the files of the build in the service worker, which keeps them for the check-in page without network. */
const buildFiles: Plugin = {
  name: 'build-files',
  apply: 'build',
  // After Vite has written index.html.
  enforce: 'post',
  generateBundle(_, bundle) {
    const worker = bundle['service-worker.js'];
    if (worker?.type !== 'chunk') throw new Error('The build has no service worker');
    if (worker.imports.length > 0) throw new Error('Browsers load the service worker as a single script');
    const isPart = ({ fileName }: { fileName: string }) => !/^(service-worker|embed)\./.test(fileName);
    const files = Object.values(bundle).filter(isPart);
    const entries = files.map((file) => ({
      url: `/${file.fileName}`,
      // The names in assets/ change with their contents.
      revision: file.fileName.startsWith('assets/')
        ? null
        : hash(file.type === 'asset' ? file.source : file.code),
    }));
    worker.code = worker.code.replace(/\bbuildFiles\b/, JSON.stringify(entries));
  },
};

const hash = (content: string | Uint8Array) =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

export default defineConfig({
  root,
  plugins: [await prefresh(), notFoundPage, buildFiles],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Resolves `boxoffice-client` to the folder infra/client.
  resolve: { tsconfigPaths: true },
  build: {
    outDir: path.join(repository, 'dist', 'storefront'),
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: 'esnext',
    rolldownOptions: {
      input: {
        index: path.join(root, 'index.html'),
        frame: path.join(root, 'embed.html'),
        [elementEntry]: path.join(root, 'src', 'embed', 'element.ts'),
        [workerEntry]: path.join(root, 'src', 'door', 'service-worker.ts'),
      },
      output: {
        // One file for what pages load at first, in place of twenty small ones.
        codeSplitting: {
          groups: [{ name: 'first', tags: ['$initial'], minShareCount: 2, test: /\.(tsx?|m?js)$/ }],
        },
        entryFileNames: ({ name }) =>
          name === workerEntry || name === elementEntry ? '[name].js' : 'assets/[name]-[hash].js',
      },
    },
  },
  server: {
    proxy: { '/api': service, '/docs': service, '/config.json': service },
    fs: { allow: [root, path.join(root, '..', 'client'), path.join(repository, 'node_modules')] },
  },
});
