import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { plants } from './plant.ts';

const shared = path.resolve(import.meta.dirname, '..', '..', '..', 'shared');

it.each(Object.entries(plants))('the code has one place for the mistake %s', (_name, { file, search }) => {
  expect(readFileSync(path.join(shared, file), 'utf8').split(search)).toHaveLength(2);
});
