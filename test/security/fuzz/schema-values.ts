import * as fc from 'fast-check';
import * as z from 'zod';

/** The keywords of JSON Schema that the contracts use. */
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

/** Valid values by field name, for fields with checks that the schema does not express. */
export type Samples = Readonly<Record<string, readonly unknown[]>>;

/** Generates values that match a schema, from the schema and the samples. */
export function valuesOf(schema: z.ZodType, samples: Samples): fc.Arbitrary<unknown> {
  return sampleOrGenerate(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, samples);
}

/** Returns the fields of an object's schema, each with generated values. */
export function fieldsOf(schema: z.ZodType, samples: Samples): [string, fc.Arbitrary<unknown>][] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  return Object.entries(properties).map(([name, field]) => [name, sampleOrGenerate(field, samples, name)]);
}

function sampleOrGenerate(schema: Schema, samples: Samples, name?: string): fc.Arbitrary<unknown> {
  const fieldSamples = name === undefined ? [] : (samples[name] ?? []);
  const generated = generateFrom(schema, samples);
  return fieldSamples.length === 0
    ? generated
    : fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...fieldSamples) }, generated);
}

function generateFrom(schema: Schema, samples: Samples): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => generateFrom(option, samples)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => generateFrom({ ...schema, type }, samples)));
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
      return textsFor(schema);
    case 'array':
      return fc.array(sampleOrGenerate(schema.items ?? {}, samples), {
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'object':
      return objectsFor(schema, samples);
    default:
      return fc.jsonValue();
  }
}

function textsFor({ minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<string> {
  const unit = fc.constantFrom('a', 'Z', '9', ' ', '"', '\\', '\n', '\u0000', '\u202e', 'é', '漢', '🎫');
  const longest = unit.map((text) => text.repeat(Math.floor(maxLength / text.length)));
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 30) }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 30) }) },
    { weight: 1, arbitrary: longest },
  );
}

/**
 * Generates all required fields and at most three optional ones. Generated fields often fail checks that the schema does
 * not express, so with more of them nearly every object would be invalid.
 */
function objectsFor({ properties = {}, required = [] }: Schema, samples: Samples): fc.Arbitrary<object> {
  const recordOf = (names: readonly string[]) =>
    fc.record(
      Object.fromEntries(
        names.map((name) => [name, sampleOrGenerate(properties[name] ?? {}, samples, name)]),
      ),
    );
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const someOptional = fc.subarray(optional, { maxLength: Math.min(optional.length, 3) }).chain(recordOf);
  return fc
    .tuple(recordOf(required), someOptional)
    .map(([requiredFields, optionalFields]) => ({ ...requiredFields, ...optionalFields }));
}
