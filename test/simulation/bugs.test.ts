import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bugs } from './bugs.ts';

// The nightly drill would report a bug whose text has changed as one that the simulation does not find.
it.each(bugs)('$name: its text is in the service once', ({ replacements }) => {
  for (const { file, find } of replacements) expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
});
