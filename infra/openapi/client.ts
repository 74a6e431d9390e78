import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateSource } from 'oazapfts';
import { openApi } from '../build/docs.ts';

export const clientFile = path.resolve(import.meta.dirname, '..', 'client', 'api.ts');

/** Generates the client for TypeScript frontends: a function for each endpoint, and the types of all bodies. */
export async function clientSource(): Promise<string> {
  // The generator also accepts a parsed document, although its type allows only a path or URL.
  return generateSource(JSON.parse(await openApi()));
}

if (import.meta.main) await writeFile(clientFile, await clientSource());
