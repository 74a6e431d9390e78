import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');
const statement =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\('([^']+)'\)/gm;

/** What a file imports: files by their path from the root, packages and Node's own modules by their name. */
export function importsOf(file: string, source = readFileSync(path.join(root, file), 'utf8')): string[] {
  return Array.from(source.matchAll(statement), ([, from, bare, dynamic]) => {
    const target = from ?? bare ?? dynamic ?? '';
    return target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target;
  });
}
