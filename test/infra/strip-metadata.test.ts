import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withoutMetadata } from '../../infra/build/strip-metadata.ts';

it('removes calls of `.meta()` and nothing else', async () => {
  const source = `const name = z.string().meta({ description: 'The (first) name’s' }).max(9);
const person = z.object({ name: name.meta({ examples: [\`\${'a'.repeat(3)})\`] }) }).meta({ id: 'Person' });
const read = import.meta.url;`;
  expect(await withoutMetadata('person.ts', source)).toBe(`const name = z.string().max(9);
const person = z.object({ name: name });
const read = import.meta.url;`);
});

it('leaves no call of `.meta()` in any file of shared/ and functions/', async () => {
  const files = globSync('{shared,functions}/**/*.ts').filter((file) =>
    readFileSync(file, 'utf8').includes('.meta('),
  );
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    expect(await withoutMetadata(file, readFileSync(file, 'utf8')), file).not.toContain('.meta(');
  }
});
