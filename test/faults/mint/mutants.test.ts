import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { mutants } from './mutants.ts';

const shared = path.resolve(import.meta.dirname, '..', '..', '..', 'shared');

it.each(Object.entries(mutants))(
  'the text that the mutant %s replaces occurs once in its file',
  (_name, { file, search }) => {
    expect(readFileSync(path.join(shared, file), 'utf8').split(search)).toHaveLength(2);
  },
);
