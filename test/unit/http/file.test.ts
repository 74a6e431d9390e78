import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, it } from 'vitest';
import { fileResponse } from '../../../shared/http/file.ts';

const file = { content: gzipSync('{}').toString('base64'), type: 'application/json', headers: {} };
const request = (headers: Record<string, string>) =>
  fileResponse({ headers } as unknown as APIGatewayProxyEventV2, file);
const etagOf = (headers: Record<string, string>) => String(request(headers).headers?.etag);

it('a file has one weak ETag, compressed or not', () => {
  expect(etagOf({ 'accept-encoding': 'gzip' })).toMatch(/^W\/"[\w-]{43}"$/);
  expect(etagOf({})).toBe(etagOf({ 'accept-encoding': 'gzip' }));
});

it.each([
  ['its ETag', (etag: string) => etag],
  ['its ETag without W/', (etag: string) => etag.replace('W/', '')],
  ['its ETag among others', (etag: string) => `"another", ${etag}, "third"`],
])('a file is not sent again (304) for %s', (_, toHeader) => {
  expect(request({ 'if-none-match': toHeader(etagOf({})) })).toMatchObject({ statusCode: 304 });
});

it('a file is sent for another ETag', () => {
  expect(request({ 'if-none-match': 'W/"another"' })).toMatchObject({ statusCode: 200, body: '{}' });
});
