import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import * as z from 'zod';
import { maximumBodyBytes } from '../../../shared/http/middleware.ts';

/** Generates valid values in four of five cases, since a request with several invalid parts fails at the first one. */
export function mostlyValid<Value>(
  valid: fc.Arbitrary<Value>,
  ...others: fc.Arbitrary<Value>[]
): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 4 * others.length, arbitrary: valid }, ...others);
}

/** Changes, removes or adds a character of a text, or truncates the text. */
export function tamper(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...texts),
      fc.nat(),
      fc.constantFrom('', 'A', 'B', '.', '=', '-'),
      fc.constantFrom('insert', 'replace', 'truncate'),
    )
    .map(([text, seed, character, change]) => {
      const position = seed % (text.length + 1);
      const rest = change === 'truncate' ? '' : text.slice(change === 'replace' ? position + 1 : position);
      return text.slice(0, position) + character + rest;
    });
}

/** Depths of nesting, up to ones that overflow the stack of recursive code. */
const depths = fc.constantFrom(1, 10, 100, 1_000, 10_000, 40_000);
/** Lengths of texts and lists, most of them one more than a field allows. */
const lengths = fc.constantFrom(1, 65, 101, 255, 256, 2_001, 5_001, 70_000);

/** Generates JSON and invalid JSON that is known to break parsers and programs. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['null', 'true', '[]', '{}', '""', '0', '-0', '-1', '1.5', '1e999', '-1e999', '1e-400', '5e-324'],
      ...[
        '9007199254740993',
        '1e21',
        '1e-7',
        'NaN',
        'Infinity',
        'undefined',
        '0x10',
        '01',
        '+1',
        '.5',
        "'a'",
      ],
      ...['{"__proto__":{"role":"ADMIN"}}', '{"constructor":{"prototype":{"role":"ADMIN"}}}'],
      ...['{"toString":1,"valueOf":1}', '{"toJSON":1}', '{"length":1e9}', '{"then":1}', '{"$gt":""}'],
      ...['"\\ud800"', '"\\udc00x"', '"\\u0000"', '"\\u202e"', '"\\ufeff"', '"\\x"', '"\n"', '"🎫"'],
      ...['"__proto__"', '"constructor"', '"toString"', '"hasOwnProperty"', '"null"', '"me"', '"../.."'],
      ...[
        '"<script>alert(1)</script>"',
        '"=1+1"',
        '"{{7*7}}"',
        '"$(id)"',
        '"\' OR 1=1 --"',
        '"#pk"',
        '":now"',
      ],
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }).map((digits) => '9'.repeat(digits)) },
  { weight: 1, arbitrary: depths.map((depth) => '['.repeat(depth) + ']'.repeat(depth)) },
  { weight: 1, arbitrary: depths.map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) },
  { weight: 1, arbitrary: lengths.map((length) => JSON.stringify('x'.repeat(length))) },
  { weight: 1, arbitrary: lengths.map((length) => `[${Array(length).fill(0)}]`) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.double().map(String) },
  { weight: 2, arbitrary: fc.json({ stringUnit: 'binary' }) },
);

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

/** The bytes of a body, and headers that describe them, correctly or not. */
export interface Body {
  bytes: Buffer;
  headers: [string, string][];
}

/** Generates bodies: valid JSON as it is or altered, unrelated JSON, and texts of about the maximum size. */
export function bodiesOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const validText = values.map((value) => JSON.stringify(value));
  const texts = fc.oneof(
    { weight: 6, arbitrary: validText },
    { weight: 8, arbitrary: fc.tuple(validText, fc.nat(60), hostileJson).map(replaceToken) },
    { weight: 4, arbitrary: fc.tuple(validText, fc.nat(20), hostileJson).map(addMember) },
    { weight: 1, arbitrary: fc.tuple(validText, fc.nat(200)).map(([text, length]) => text.slice(0, length)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(validText, fc.constantFrom('\u0000', '}', ',', '\ufeff'))
        .map((parts) => parts.join('')),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(maximumBodyBytes - 20, maximumBodyBytes, maximumBodyBytes + 1)
        .map((length) => `"${'x'.repeat(length)}"`),
    },
    { weight: 1, arbitrary: hostileJson },
  );
  return fc
    .tuple(
      texts,
      fc.oneof({ weight: 6, arbitrary: fc.constant(encodeUtf8) }, fc.constantFrom(...otherEncodings)),
      contentTypes,
    )
    .map(([text, encode, type]) => {
      const { bytes, headers } = encode(text);
      return {
        bytes,
        headers: [...(type === undefined ? [] : [['content-type', type] as [string, string]]), ...headers],
      };
    });
}

const jsonToken = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g;

/** Replaces one key or value of a JSON text, chosen by a number. */
function replaceToken([text, number, replacement]: [string, number, string]): string {
  const tokens = [...text.matchAll(jsonToken)];
  const { index = 0, 0: original = '' } = tokens[number % (tokens.length || 1)] ?? {};
  return text.slice(0, index) + replacement + text.slice(index + original.length);
}

/** Adds a first member to an object of a JSON text: a duplicate key, or one with a special meaning. */
function addMember([text, number, value]: [string, number, string]): string {
  const existingKeys = [...text.matchAll(/"([^"\\]+)":/g)].map(([, key]) => key);
  const keys = [
    '__proto__',
    'constructor',
    'prototype',
    'id',
    'role',
    'userId',
    'organizerId',
    'pk',
    'ttl',
    ...existingKeys,
  ];
  const braces = [...text.matchAll(/\{/g)];
  const position = (braces[number % (braces.length || 1)]?.index ?? -1) + 1;
  const comma = /^\s*\}/.test(text.slice(position)) ? '' : ',';
  return `${text.slice(0, position)}"${keys[number % keys.length]}":${value}${comma}${text.slice(position)}`;
}

type Encode = (text: string) => Body;
const encodeUtf8: Encode = (text) => ({ bytes: Buffer.from(text), headers: [] });
const otherEncodings: Encode[] = [
  (text) => ({ bytes: Buffer.from(text, 'utf16le'), headers: [] }),
  (text) => ({ bytes: Buffer.from(text, 'latin1'), headers: [] }),
  (text) => ({ bytes: Buffer.from(`\ufeff${text}`), headers: [] }),
  (text) => ({ bytes: Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0x00])]), headers: [] }),
  (text) => ({ bytes: Buffer.from(Buffer.from(text).toString('base64')), headers: [] }),
  (text) => ({ bytes: gzipSync(text), headers: [['content-encoding', 'gzip']] }),
  (text) => ({ bytes: Buffer.from(text), headers: [['content-encoding', 'br']] }),
  () => ({ bytes: Buffer.alloc(0), headers: [] }),
];

const contentTypes: fc.Arbitrary<string | undefined> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    ...[
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/json;charset=utf-16',
      'application/json;',
    ],
    ...['application/vnd.api+json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
    ...[
      'text/plain',
      'text/html',
      'application/xml',
      'application/octet-stream',
      '*/*',
      '',
      ',',
      'json',
      undefined,
    ],
  ),
);
