import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Assets } from './assets.ts';

const pageDirectory = path.resolve(import.meta.dirname, '..', '..', 'shared', 'http', 'docs');
const swaggerUiDirectory = path.dirname(
  createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
);

/** The files that the functions in functions/docs serve. */
export const docsAssets: Assets = {
  'openapi.json': generateOpenApi,
  'reference.html': () => readFile(path.join(pageDirectory, 'reference.html')),
  'reference.js': () => readFile(path.join(pageDirectory, 'reference.js')),
  'reference.css': () => readFile(path.join(pageDirectory, 'reference.css')),
  'swagger-ui.js': () => readFile(path.join(swaggerUiDirectory, 'swagger-ui-bundle.js')),
  'swagger-ui.css': () => readFile(path.join(swaggerUiDirectory, 'swagger-ui.css')),
};

/** Generates the OpenAPI document from the handlers' contracts, in a process that loads them all. */
export async function generateOpenApi(): Promise<string> {
  const program = path.join(import.meta.dirname, '..', 'openapi', 'main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}
