import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { actions, documentExceptions, documentTables, rowOf } from '../faults/meetings/cells.ts';

it('docs/meetings.md has the tables that test/faults/meetings plays', () => {
  const document = readFileSync(path.resolve(import.meta.dirname, '../../docs/meetings.md'), 'utf8');
  expect(document).toContain(documentTables());
  expect(document).toContain(documentExceptions());
});

it.each(actions)('%s meets each other action in one row', (first) => {
  for (const then of actions) expect(() => rowOf(first, then)).not.toThrow();
});
