import * as fc from 'fast-check';
import * as z from 'zod';

/** The part of JSON Schema that our contracts use. */
interface Schema {
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

/** Valid samples for a field of that name, for checks that the schema does not express. */
export type Samples = Readonly<Record<string, readonly unknown[]>>;

/** Values that match a schema, generated from the schema and the samples. */
export function valuesOf(schema: z.ZodType, samples: Samples): fc.Arbitrary<unknown> {
  return valuesFor(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, samples);
}

/** The fields of a schema for an object, each with its values. */
export function fieldsOf(schema: z.ZodType, samples: Samples): [string, fc.Arbitrary<unknown>][] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  return Object.entries(properties).map(([name, one]) => [name, valuesFor(one, samples, name)]);
}

function valuesFor(schema: Schema, samples: Samples, name?: string): fc.Arbitrary<unknown> {
  const known = name === undefined ? [] : (samples[name] ?? []);
  const described = describedBy(schema, samples);
  return known.length === 0
    ? described
    : fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...known) }, described);
}

function describedBy(schema: Schema, samples: Samples): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => describedBy(one, samples)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => describedBy({ ...schema, type }, samples)));
  }
  const { minimum: min = -1e15, maximum: max = 1e15 } = schema;
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.integer({ min, max: Math.min(max, min + 20) }),
        fc.maxSafeInteger(),
        fc.constant(max),
      );
    case 'number':
      return fc.oneof(fc.integer({ min, max }), fc.double({ min, max, noNaN: true }));
    case 'string':
      return texts(schema);
    case 'array':
      return fc.array(valuesFor(schema.items ?? {}, samples), {
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'object':
      return objects(schema, samples);
    default:
      return fc.jsonValue();
  }
}

function texts({ minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<string> {
  const unit = fc.constantFrom('a', 'Z', '9', ' ', '"', '\\', '\n', '\u0000', '\u202e', 'é', '漢', '🎫');
  const edge = unit.map((one) => one.repeat(Math.floor(maxLength / one.length)));
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 30) }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 30) }) },
    { weight: 1, arbitrary: edge },
  );
}

/** All required fields and a few optional ones; with many, one would nearly always be invalid. */
function objects({ properties = {}, required = [] }: Schema, samples: Samples): fc.Arbitrary<object> {
  const fields = (names: readonly string[]) =>
    fc.record(
      Object.fromEntries(names.map((name) => [name, valuesFor(properties[name] ?? {}, samples, name)])),
    );
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const some = fc.subarray(optional, { maxLength: Math.min(optional.length, 3) }).chain(fields);
  return fc.tuple(fields(required), some).map(([given, more]) => ({ ...given, ...more }));
}
