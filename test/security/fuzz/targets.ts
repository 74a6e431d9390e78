import * as fc from 'fast-check';
import type * as z from 'zod';
import { mostly, tampered } from './arbitraries.ts';
import { fieldsOf } from './schema-values.ts';
import type { World } from './world.ts';

/** Paths and queries of a route such as `/api/orders/{id}`, valid and hostile. */
export function targetsOf(path: string, query: z.ZodType | undefined, world: World): fc.Arbitrary<string> {
  const parts = path.split('/');
  const segments = parts.map((segment, index) => segmentsFor(segment, parts[index - 1] ?? '', world));
  return fc
    .tuple(fc.tuple(...segments), queries(query, world))
    .map(([given, search]) => inTarget(given.join('/') + search));
}

/** Percent-encodes characters that a request line may not contain; encoded ones stay. */
function inTarget(text: string): string {
  return text.replace(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character));
}

const oddSegments =
  '% %zz %c3%28 %00 %2e%2e%2f .. . ..%2f..%2f ; a;b %252e %ff %ed%a0%80 %20 %23 a%23b {id} * %u0041 __proto__ constructor me null undefined -1 0';

function segmentsFor(segment: string, noun: string, { ids }: World): fc.Arbitrary<string> {
  if (!segment.startsWith('{')) return fc.constant(segment);
  const fitting = fc.constantFrom(...(ids[segment === '{tierId}' ? 'tiers' : noun] ?? ['nobody']));
  return mostly(
    fitting,
    fc.constantFrom(...Object.values(ids).flat()),
    fc.constantFrom(...oddSegments.split(' ')),
    fitting.chain((id) => fc.constantFrom(`${id}%20`, ` ${id}`, id.toUpperCase(), `${id}%23x`, `${id}/`)),
    fc.string({ unit: 'binary', minLength: 1 }).map(encodeURIComponent),
    fc.constantFrom(64, 65, 101, 2_000, 6_000).map((length) => 'a'.repeat(length)),
  );
}

const oddValues = '% %zz %ff %00 __proto__ -1 0 1e9 NaN 101 1.5 %205 [] true 9'.split(' ');

function queries(schema: z.ZodType | undefined, world: World): fc.Arbitrary<string> {
  const odd = fc.oneof(
    fc.constantFrom('', ...oddValues),
    fc.string({ unit: 'binary' }).map(encodeURIComponent),
    fc.constantFrom(2_001, 7_000).map((length) => 'q'.repeat(length)),
    tampered(world.cursors),
  );
  const names = ['__proto__', 'x', '[a]', 'limit', 'cursor', 'userId', ''];
  const unknown = fc.tuple(fc.constantFrom(...names), odd).map((pair) => pair.join('='));
  if (!schema)
    return mostly(
      fc.constant(''),
      unknown.map((pair) => `?${pair}`),
    );
  const known = fieldsOf(schema, world.samples).map(([name, values]) =>
    mostly(
      values.map((value) => encodeURIComponent(`${value}`)),
      odd,
    ).map((value) => `${name}=${value}`),
  );
  const pairs = fc.array(mostly(fc.oneof(...known), unknown), { maxLength: 4 });
  return pairs.map((all) => (all.length > 0 ? `?${all.join('&')}` : ''));
}
