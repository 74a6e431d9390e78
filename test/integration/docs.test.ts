import { describe, expect, it } from 'vitest';
import { freshEmail, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { sharedStack } from '../support/stack.ts';

const { apiUrl } = sharedStack();

describe('the OpenAPI document', () => {
  it('is not sent again (304) when the request has its ETag', async () => {
    const { headers } = await call('GET', '/api/openapi.json');
    const revalidation = await fetch(`${apiUrl}/api/openapi.json`, {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect([revalidation.status, await revalidation.text()]).toEqual([304, '']);
  });

  it('is compressed for clients that accept gzip', async () => {
    const url = `${apiUrl}/api/openapi.json`;
    const compressed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await compressed.text()).toBe(await plain.text());
  });
});

describe('the request examples of the OpenAPI document', () => {
  it('can be sent in sequence to create and change an event with tiers and codes', async () => {
    const { paths } = (await call('GET', '/api/openapi.json')).body;
    const exampleOf = (path: string, method = 'post') =>
      paths[path][method].requestBody.content['application/json'].example;
    const send = (method: string, path: string, body: object, token?: string) =>
      call(method, path, { token, body });

    const registration = { ...exampleOf('/api/auth/register'), email: freshEmail() };
    expect((await send('POST', '/api/auth/register', registration)).status).toBe(201);
    const { token } = await registerUser({ role: 'ORGANIZER' });
    const creation = await send('POST', '/api/events', exampleOf('/api/events'), token);
    expect(creation.status).toBe(201);
    const eventPath = `/api/events/${creation.body.event.id}`;
    const [tier] = creation.body.event.tiers;
    const answers = [
      await send('PUT', eventPath, exampleOf('/api/events/{id}', 'put'), token),
      await send('POST', `${eventPath}/tiers`, exampleOf('/api/events/{id}/tiers'), token),
      await send(
        'PUT',
        `${eventPath}/tiers/${tier.id}`,
        exampleOf('/api/events/{id}/tiers/{tierId}', 'put'),
        token,
      ),
      await send('POST', `${eventPath}/codes`, exampleOf('/api/events/{id}/codes'), token),
      await send(
        'PUT',
        `${eventPath}/codes/EARLY-BIRD`,
        exampleOf('/api/events/{id}/codes/{code}', 'put'),
        token,
      ),
      await send(
        'POST',
        `${eventPath}/quote`,
        { ...exampleOf('/api/events/{id}/quote'), tierId: tier.id },
        token,
      ),
      await send('PATCH', '/api/auth/me', exampleOf('/api/auth/me', 'patch'), token),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 201, 200, 200, 200]);
  });
});

describe('the API reference page', () => {
  it('loads only files of the service, and its policy forbids others', async () => {
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
  ])('loads %s', async (name, type, minimumLength) => {
    const { status, headers, body } = await call('GET', `/docs/${name}`);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(body.length).toBeGreaterThan(minimumLength);
  });

  it.each(['nothing.js', '__proto__', 'constructor', '..%2Findex.cjs'])(
    'returns 404 for %s',
    async (name) => {
      const { status, headers } = await call('GET', `/docs/${name}`);
      expect([status, headers.get('x-error-code')]).toEqual([404, 'path-not-found']);
    },
  );
});
