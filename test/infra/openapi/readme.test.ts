import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readOperations } from '../../../infra/openapi/operations.ts';
import { updateTables } from '../../../infra/openapi/readme.ts';

it('the README has the current tables of endpoints and settings (npm run client)', async () => {
  const readme = readFileSync(path.resolve(import.meta.dirname, '../../../README.md'), 'utf8');
  expect(updateTables(readme, await readOperations())).toBe(readme);
});
