import path from 'node:path';

const storefront = path.resolve(import.meta.dirname, '..', 'storefront');

/** Builds the storefront's static files into a folder, `dist/storefront` by default. */
export async function buildStorefront(outDir?: string): Promise<void> {
  // Imports Vite only here, since a stack with BOXOFFICE_STOREFRONT starts without a build.
  const { build } = await import('vite');
  await build({
    configFile: path.join(storefront, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir },
  });
}

if (import.meta.main) await buildStorefront();
