import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { maximumBodyBytes, readBodyBytes, readJson } from '../../../shared/http/middleware.ts';

const json = { 'content-type': 'application/json' };

/** A body as API Gateway passes it: text as it is, anything else in base64. */
function sent(body: string | Buffer | undefined, headers: Record<string, string> = json) {
  const isBase64Encoded = Buffer.isBuffer(body);
  const text = isBase64Encoded ? body.toString('base64') : body;
  return { body: text, isBase64Encoded, headers } as unknown as APIGatewayProxyEventV2;
}

const refusal = (kind: string) => expect.objectContaining({ kind });

describe('the bytes of a body', () => {
  it('are those that were sent, with or without base64', () => {
    const text = '{"name":"Zoë 🎫"}';
    expect(readBodyBytes(sent(text))).toEqual(Buffer.from(text));
    expect(readBodyBytes(sent(Buffer.from(text)))).toEqual(Buffer.from(text));
  });

  it('are at most 256 KiB, as sent', () => {
    expect(readBodyBytes(sent('a'.repeat(maximumBodyBytes)))).toHaveLength(256 * 1024);
    expect(() => readBodyBytes(sent('a'.repeat(maximumBodyBytes + 1)))).toThrow(refusal('too-large'));
    expect(() => readBodyBytes(sent('ë'.repeat(maximumBodyBytes / 2 + 1)))).toThrow(refusal('too-large'));
    expect(readBodyBytes(sent(Buffer.alloc(maximumBodyBytes)))).toHaveLength(256 * 1024);
  });
});

describe('a JSON body', () => {
  it('is parsed from text and from base64', () => {
    expect(readJson(sent('{"name":"Zoë"}'))).toEqual({ name: 'Zoë' });
    expect(readJson(sent(Buffer.from('{"name":"Zoë"}')))).toEqual({ name: 'Zoë' });
    expect(readJson(sent('{"text":"\\ud83c\\udfab"}'))).toEqual({ text: '🎫' });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/a+json'])(
    'may have the content type %s',
    (type) => {
      expect(readJson(sent('{}', { 'content-type': type }))).toEqual({});
    },
  );

  it.each<Record<string, string>>([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/jsonp' },
  ])('is refused under the headers %j', (headers) => {
    expect(() => readJson(sent('{}', headers))).toThrow(refusal('unsupported-media-type'));
  });

  it.each<[string, string | Buffer | undefined]>([
    ['absent', undefined],
    ['empty', ''],
    ['blank', ' '],
    ['cut off', '{"a":1'],
    ['not JSON', 'NaN'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['nested deeper than the stack', '['.repeat(200_000)],
    ['nested and closed', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['after a prototype', '{"__proto__":{"role":"ADMIN"}}'],
    ['after a prototype further in', '{"a":[{"__proto__":1}]}'],
    ['half a surrogate pair', '{"name":"\\ud800"}'],
  ])('is refused when %s', (_, body) => {
    expect(() => readJson(sent(body))).toThrow(refusal('invalid'));
  });
});
