import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { generateFiles } from '../../infra/contracts/compile.ts';

test('the committed files match the compiled contract (else: npm run compile-contract)', () => {
  const stale = generateFiles().filter(({ file, content }) => readFileSync(file, 'utf8') !== content);
  expect(stale.map(({ file }) => path.basename(file))).toEqual([]);
});
