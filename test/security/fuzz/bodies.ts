import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { maximumBodyBytes } from '../../../shared/http/middleware.ts';
import { hostileJson } from './hostile-json.ts';

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
