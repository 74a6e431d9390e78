import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The output folder of the storefront's build. */
const storefrontDirectory = path.resolve(import.meta.dirname, '..', '..', 'dist', 'storefront');

/** The file of each page, by the pattern of its address, as the build lists them in pages.json; none before a build. */
export function storefrontPages(directory = storefrontDirectory): Record<string, string> {
  const file = path.join(directory, 'pages.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
