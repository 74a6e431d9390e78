import { renameSync, writeFileSync } from 'node:fs';

/** Replaces a file by a rename: after a kill -9 the file has its old or its new content, never a part. */
export function writeFileAtomically(file: string, content: string | Uint8Array): void {
  const next = `${file}.next`;
  writeFileSync(next, content);
  renameSync(next, file);
}
