import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readOperations } from '../../../infra/openapi/operations.ts';
import { endpointTable } from '../../../infra/openapi/readme.ts';

it('the README’s table of endpoints is generated from the contracts', async () => {
  const readme = readFileSync(path.resolve(import.meta.dirname, '../../../README.md'), 'utf8');
  const table = /\| endpoint \|.*?\n(?=\n)/s.exec(readme)?.[0].trimEnd();
  expect(table).toBe(endpointTable(await readOperations()));
});
