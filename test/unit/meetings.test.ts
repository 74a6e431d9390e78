import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { actions, getRow, toConcurrentMarkdownTable, toMarkdownTables } from '../faults/meetings/cells.ts';

it('docs/meetings.md has the tables that test/faults/meetings plays', () => {
  const document = readFileSync(path.resolve(import.meta.dirname, '../../docs/meetings.md'), 'utf8');
  expect(document).toContain(toMarkdownTables());
  expect(document).toContain(toConcurrentMarkdownTable());
});

it.each(actions)('%s meets each other action in one row', (first) => {
  for (const then of actions) expect(() => getRow(first, then)).not.toThrow();
});
