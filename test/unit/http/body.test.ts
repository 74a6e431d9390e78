import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { maximumBodyBytes, readBodyBytes, readJson } from '../../../shared/http/middleware.ts';

const json = { 'content-type': 'application/json' };

/** Creates the event of a request: API Gateway passes text unchanged and other bodies in base64. */
function createEvent(body: string | Buffer | undefined, headers: Record<string, string> = json) {
  const isBase64Encoded = Buffer.isBuffer(body);
  const text = isBase64Encoded ? body.toString('base64') : body;
  return { body: text, isBase64Encoded, headers } as unknown as APIGatewayProxyEventV2;
}

const errorOfKind = (kind: string) => expect.objectContaining({ kind });

describe('the bytes of a body', () => {
  it('are those that were sent, with or without base64', () => {
    const text = '{"name":"Zoë 🎫"}';
    expect(readBodyBytes(createEvent(text))).toEqual(Buffer.from(text));
    expect(readBodyBytes(createEvent(Buffer.from(text)))).toEqual(Buffer.from(text));
  });

  it('are at most 256 KiB, not counting the base64 encoding', () => {
    expect(readBodyBytes(createEvent('a'.repeat(maximumBodyBytes)))).toHaveLength(256 * 1024);
    expect(() => readBodyBytes(createEvent('a'.repeat(maximumBodyBytes + 1)))).toThrow(
      errorOfKind('too-large'),
    );
    expect(() => readBodyBytes(createEvent('ë'.repeat(maximumBodyBytes / 2 + 1)))).toThrow(
      errorOfKind('too-large'),
    );
    expect(readBodyBytes(createEvent(Buffer.alloc(maximumBodyBytes)))).toHaveLength(256 * 1024);
  });
});

describe('a JSON body', () => {
  it('is parsed from text and from base64', () => {
    expect(readJson(createEvent('{"name":"Zoë"}'))).toEqual({ name: 'Zoë' });
    expect(readJson(createEvent(Buffer.from('{"name":"Zoë"}')))).toEqual({ name: 'Zoë' });
    expect(readJson(createEvent('{"text":"\\ud83c\\udfab"}'))).toEqual({ text: '🎫' });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/a+json'])(
    'may have the content type %s',
    (type) => {
      expect(readJson(createEvent('{}', { 'content-type': type }))).toEqual({});
    },
  );

  it.each<Record<string, string>>([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/jsonp' },
  ])('is refused with the headers %j', (headers) => {
    expect(() => readJson(createEvent('{}', headers))).toThrow(errorOfKind('unsupported-media-type'));
  });

  it.each<[string, string | Buffer | undefined]>([
    ['absent', undefined],
    ['empty', ''],
    ['blank', ' '],
    ['cut off', '{"a":1'],
    ['not JSON', 'NaN'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['nested too deeply and not closed', '['.repeat(200_000)],
    ['nested too deeply', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['an object with the key __proto__', '{"__proto__":{"role":"ADMIN"}}'],
    ['an object with the nested key __proto__', '{"a":[{"__proto__":1}]}'],
    ['text with half a surrogate pair', '{"name":"\\ud800"}'],
  ])('is refused when it is %s', (_, body) => {
    expect(() => readJson(createEvent(body))).toThrow(errorOfKind('invalid'));
  });
});
