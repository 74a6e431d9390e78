import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  actions,
  getRow,
  toConcurrentMarkdownTable,
  toMarkdownTables,
} from '../faults/operation-pairs/outcomes.ts';

it('docs/operation-pairs.md has the tables of test/faults/operation-pairs', () => {
  const document = readFileSync(path.resolve(import.meta.dirname, '../../docs/operation-pairs.md'), 'utf8');
  expect(document).toContain(toMarkdownTables());
  expect(document).toContain(toConcurrentMarkdownTable());
});

it.each(actions)('%s has exactly one row for each second action', (first) => {
  for (const second of actions) expect(() => getRow(first, second)).not.toThrow();
});
