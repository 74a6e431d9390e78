import { renameSync, writeFileSync } from 'node:fs';

/** Writes beside the file, then renames: whoever reads, even after a kill -9 half-way, finds the old or the new. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const next = `${file}.next`;
  writeFileSync(next, content);
  renameSync(next, file);
}
