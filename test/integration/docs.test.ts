import { describe, expect, it } from 'vitest';
import { call } from '../support/http.ts';
import { sharedStack } from '../support/stack.ts';

const { apiUrl } = sharedStack();

describe('the OpenAPI document', () => {
  it('is served to anyone', async () => {
    const answer = await call('GET', '/api/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ openapi: '3.1.0', info: { title: 'boxoffice' } });
    expect(
      answer.body.paths['/api/events'].post.requestBody.content['application/json'].schema.required,
    ).toEqual(['title', 'venue', 'startDate']);
  });

  it('is answered 304 while it is unchanged', async () => {
    const { headers } = await call('GET', '/api/openapi.json');
    const again = await fetch(`${apiUrl}/api/openapi.json`, {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is compressed for clients that accept gzip', async () => {
    const url = `${apiUrl}/api/openapi.json`;
    const packed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await packed.text()).toBe(await plain.text());
  });
});

describe('the reference', () => {
  it('is a page that loads and runs only its own files', async () => {
    const { status, headers, body } = await call('GET', '/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'"]));
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|http|\*/);
    const sources = Array.from(body.matchAll(/(?:src|href)="(?!#|data:)([^"]+)"/g), ([, source]) => source);
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) expect((await call('GET', source)).status, source).toBe(200);
  });

  it.each([
    ['swagger-ui.js', 'text/javascript; charset=utf-8', 1_000_000],
    ['swagger-ui.css', 'text/css; charset=utf-8', 100_000],
    ['reference.js', 'text/javascript; charset=utf-8', 300],
    ['reference.css', 'text/css; charset=utf-8', 50],
  ])('has its part %s', async (name, type, bytes) => {
    const { status, headers, body } = await call('GET', `/docs/${name}`);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(body.length).toBeGreaterThan(bytes);
  });

  it.each(['nothing.js', '__proto__', 'constructor', '..%2Findex.cjs'])('has no file %s', async (name) => {
    const { status, headers } = await call('GET', `/docs/${name}`);
    expect([status, headers.get('x-error-code')]).toEqual([404, 'path-not-found']);
  });
});
