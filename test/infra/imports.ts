import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');
const importStatement =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\('([^']+)'\)/gm;

export function readSource(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** Returns a file's imports: files by their path from the root, packages and Node's modules by name. */
export function importsOf(file: string, source = readSource(file)): string[] {
  return Array.from(source.matchAll(importStatement), ([, from, bare, dynamic]) => {
    const target = from ?? bare ?? dynamic ?? '';
    return target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target;
  });
}

/** Returns the file and its transitive imports, without type imports. */
export function reachableFrom(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  if (!file.endsWith('.ts')) return reached;
  const code = readSource(file).replace(/^\s*(?:import|export)\s+type\b[^;]*;/gm, '');
  for (const target of importsOf(file, code)) reachableFrom(target, reached);
  return reached;
}
