import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { hostileJson } from './hostile-json.ts';

/** The bytes of a body, and headers that describe them, correctly or not. */
export interface Body {
  bytes: Buffer;
  headers: [string, string][];
}

/** Bodies made from valid values: unchanged, with a part replaced, added or removed, or unrelated. */
export function bodiesOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const fitting = values.map((value) => JSON.stringify(value));
  const text = fc.oneof(
    { weight: 6, arbitrary: fitting },
    { weight: 8, arbitrary: fc.tuple(fitting, fc.nat(60), hostileJson).map(replaceToken) },
    { weight: 4, arbitrary: fc.tuple(fitting, fc.nat(20), hostileJson).map(addMember) },
    { weight: 1, arbitrary: fc.tuple(fitting, fc.nat(200)).map(([whole, length]) => whole.slice(0, length)) },
    {
      weight: 1,
      arbitrary: fc.tuple(fitting, fc.constantFrom('\u0000', '}', ',', '\ufeff')).map((two) => two.join('')),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(2 ** 18 - 20, 2 ** 18, 2 ** 18 + 1).map((size) => `"${'x'.repeat(size)}"`),
    },
    { weight: 1, arbitrary: hostileJson },
  );
  return fc
    .tuple(text, fc.oneof({ weight: 6, arbitrary: fc.constant(plain) }, fc.constantFrom(...encodings)), types)
    .map(([whole, encode, type]) => {
      const { bytes, headers } = encode(whole);
      return {
        bytes,
        headers: [...(type === undefined ? [] : [['content-type', type] as [string, string]]), ...headers],
      };
    });
}

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g;

/** Replaces a key or value. */
function replaceToken([text, place, other]: [string, number, string]): string {
  const tokens = [...text.matchAll(token)];
  const { index = 0, 0: old = '' } = tokens[place % (tokens.length || 1)] ?? {};
  return text.slice(0, index) + other + text.slice(index + old.length);
}

/** Adds a first member to an object: a duplicate key, or one with a special meaning. */
function addMember([text, place, value]: [string, number, string]): string {
  const own = [...text.matchAll(/"([^"\\]+)":/g)].map(([, key]) => key);
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'id',
    'role',
    'userId',
    'organizerId',
    'pk',
    'ttl',
    ...own,
  ];
  const braces = [...text.matchAll(/\{/g)];
  const at = (braces[place % (braces.length || 1)]?.index ?? -1) + 1;
  const comma = /^\s*\}/.test(text.slice(at)) ? '' : ',';
  return `${text.slice(0, at)}"${names[place % names.length]}":${value}${comma}${text.slice(at)}`;
}

type Encode = (text: string) => Body;
const plain: Encode = (text) => ({ bytes: Buffer.from(text), headers: [] });
const encodings: Encode[] = [
  (text) => ({ bytes: Buffer.from(text, 'utf16le'), headers: [] }),
  (text) => ({ bytes: Buffer.from(text, 'latin1'), headers: [] }),
  (text) => ({ bytes: Buffer.from(`\ufeff${text}`), headers: [] }),
  (text) => ({ bytes: Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0x00])]), headers: [] }),
  (text) => ({ bytes: Buffer.from(Buffer.from(text).toString('base64')), headers: [] }),
  (text) => ({ bytes: gzipSync(text), headers: [['content-encoding', 'gzip']] }),
  (text) => ({ bytes: Buffer.from(text), headers: [['content-encoding', 'br']] }),
  () => ({ bytes: Buffer.alloc(0), headers: [] }),
];

const types: fc.Arbitrary<string | undefined> = fc.oneof(
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
