import * as fc from 'fast-check';
import type * as z from 'zod';
import { mostlyValid, tamper } from './arbitraries.ts';
import { fieldsOf } from './schema-values.ts';
import type { World } from './world.ts';

/** Generates valid and hostile paths with queries for a route such as `/api/orders/{id}`. */
export function targetsOf(path: string, query: z.ZodType | undefined, world: World): fc.Arbitrary<string> {
  const parts = path.split('/');
  const segments = parts.map((segment, index) => segmentsFor(segment, parts[index - 1] ?? '', world));
  return fc
    .tuple(fc.tuple(...segments), queriesFor(query, world))
    .map(([path, search]) => toRequestTarget(path.join('/') + search));
}

/** Percent-encodes characters that a request line must not contain. Does not encode percent signs again. */
function toRequestTarget(text: string): string {
  return text.replace(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character));
}

const invalidSegments =
  '% %zz %c3%28 %00 %2e%2e%2f .. . ..%2f..%2f ; a;b %252e %ff %ed%a0%80 %20 %23 a%23b {id} * %u0041 __proto__ constructor me null undefined -1 0';

function segmentsFor(segment: string, precedingSegment: string, { ids }: World): fc.Arbitrary<string> {
  if (!segment.startsWith('{')) return fc.constant(segment);
  const validIds = fc.constantFrom(
    ...(ids[segment === '{tierId}' ? 'tiers' : precedingSegment] ?? ['nobody']),
  );
  return mostlyValid(
    validIds,
    fc.constantFrom(...Object.values(ids).flat()),
    fc.constantFrom(...invalidSegments.split(' ')),
    validIds.chain((id) => fc.constantFrom(`${id}%20`, ` ${id}`, id.toUpperCase(), `${id}%23x`, `${id}/`)),
    fc.string({ unit: 'binary', minLength: 1 }).map(encodeURIComponent),
    fc.constantFrom(64, 65, 101, 2_000, 6_000).map((length) => 'a'.repeat(length)),
  );
}

const invalidValues = '% %zz %ff %00 __proto__ -1 0 1e9 NaN 101 1.5 %205 [] true 9'.split(' ');

function queriesFor(schema: z.ZodType | undefined, world: World): fc.Arbitrary<string> {
  const invalid = fc.oneof(
    fc.constantFrom('', ...invalidValues),
    fc.string({ unit: 'binary' }).map(encodeURIComponent),
    fc.constantFrom(2_001, 7_000).map((length) => 'q'.repeat(length)),
    tamper(world.cursors),
  );
  const unknownNames = ['__proto__', 'x', '[a]', 'limit', 'cursor', 'userId', ''];
  const unknownParameter = fc.tuple(fc.constantFrom(...unknownNames), invalid).map((pair) => pair.join('='));
  if (!schema)
    return mostlyValid(
      fc.constant(''),
      unknownParameter.map((pair) => `?${pair}`),
    );
  const knownParameters = fieldsOf(schema, world.samples).map(([name, values]) =>
    mostlyValid(
      values.map((value) => encodeURIComponent(`${value}`)),
      invalid,
    ).map((value) => `${name}=${value}`),
  );
  const parameters = fc.array(mostlyValid(fc.oneof(...knownParameters), unknownParameter), { maxLength: 4 });
  return parameters.map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
}
