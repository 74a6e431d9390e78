import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const storefront = path.join(import.meta.dirname, '../../../infra/storefront');

it('leaves the name of the shop to the configuration', () => {
  const files = globSync(['index.html', 'src/**/*.{ts,tsx}', 'public/*.{svg,webmanifest}'], {
    cwd: storefront,
  });
  expect(files.length).toBeGreaterThan(50);
  const naming = files.filter((file) =>
    readFileSync(path.join(storefront, file), 'utf8').includes('Boxoffice'),
  );
  expect(naming).toEqual([]);
});
