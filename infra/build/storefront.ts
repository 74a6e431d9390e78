import path from 'node:path';

const storefront = path.resolve(import.meta.dirname, '..', 'storefront');

/** Builds the storefront's static files into a folder, `dist/storefront` by default. */
export async function buildStorefront(outDir?: string): Promise<void> {
  // Loads Vite only for a build: the local stack imports this module even when BOXOFFICE_STOREFRONT names a built
  // storefront.
  const { build } = await import('vite');
  await build({
    configFile: path.join(storefront, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir },
  });
}

if (import.meta.main) await buildStorefront(process.argv[2]);
