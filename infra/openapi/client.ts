import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateSource } from 'oazapfts';
import { generateOpenApi } from '../build/assets.ts';
import { updateTables } from './document.ts';
import { readOperations } from './operations.ts';

export const clientFile = path.resolve(import.meta.dirname, '..', 'client', 'api.ts');

/** Generates the client for TypeScript frontends: a function for each endpoint, and the types of all bodies. */
export async function generateClient(): Promise<string> {
  // The generator also accepts a parsed document, although its type allows only a path or URL.
  const source = await generateSource(JSON.parse(await generateOpenApi()));
  // The generator would parse a file as JSON, since errors are JSON. With this, their body is a Blob too.
  return source.replace(
    /fetchJson<(\{\s*status: 200;\s*data: Blob;[^>]*?)>\(/g,
    (_call, answers: string) => `fetchBlob<${answers.replaceAll('ErrorBody', 'Blob')}>(`,
  );
}

if (import.meta.main) {
  await writeFile(clientFile, await generateClient());
  const readme = path.resolve(import.meta.dirname, '..', '..', 'README.md');
  await writeFile(readme, updateTables(await readFile(readme, 'utf8'), await readOperations()));
}
