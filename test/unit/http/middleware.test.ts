import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import { forbidden, invalidFields, unauthenticated } from '../../../shared/core/errors.ts';
import { http, jsonResponse } from '../../../shared/http/middleware.ts';

type Handler = () => Promise<APIGatewayProxyStructuredResultV2>;

async function run(handler: Handler) {
  const event = { headers: {}, routeKey: 'GET /', requestContext: { requestId: 'r1' } };
  const result = await http().handler(handler)(event as unknown as APIGatewayProxyEventV2, {} as Context);
  return result as APIGatewayProxyStructuredResultV2;
}

const defaultHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
};

it.each<[string, Handler, number]>([
  ['a success', async () => jsonResponse(200, { ok: true }), 200],
  ['a refusal', () => Promise.reject(forbidden('No')), 403],
  ['an unexpected error', () => Promise.reject(new TypeError('internal detail')), 500],
])('the response to %s has the request id and the default headers', async (_, handler, status) => {
  const { statusCode, headers, body } = await run(handler);
  expect(statusCode).toBe(status);
  expect(headers).toMatchObject({ ...defaultHeaders, 'x-request-id': 'r1' });
  expect(body).not.toContain('internal detail');
});

it('a response with status 401 names the authentication scheme', async () => {
  const { headers } = await run(() => Promise.reject(unauthenticated('Authentication required')));
  expect(headers).toMatchObject({ 'www-authenticate': 'Bearer' });
});

it('a response may override the default headers, but not the request id', async () => {
  const headersOfHandler = { 'cache-control': 'public, max-age=60', 'x-request-id': 'mine' };
  const { headers } = await run(async () => jsonResponse(200, {}, { headers: headersOfHandler }));
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=60', 'x-request-id': 'r1' });
});

it('an error about fields has the first message in its body, and all fields in an ASCII header', async () => {
  const title = { path: 'title', message: 'title must not be “empty”\r\nx-evil: yes' };
  const price = { path: 'tiers.0.price', message: 'tiers.0.price must be at least 0' };
  const { headers = {}, body = '' } = await run(() => Promise.reject(invalidFields(title, price)));
  const header = String(headers['x-error-fields']);
  expect(header).toMatch(/^[ -~]+$/);
  expect(JSON.parse(header)).toEqual([title, price]);
  expect(JSON.parse(body)).toEqual({ error: title.message });
});

it('the header of an error about many fields omits those beyond its maximum size', async () => {
  const fields = Array.from({ length: 200 }, (_, index) => ({
    path: `field${index}`,
    message: 'é'.repeat(50),
  }));
  const [first, ...others] = fields;
  if (!first) throw new Error('No field');
  const { headers = {} } = await run(() => Promise.reject(invalidFields(first, ...others)));
  const header = String(headers['x-error-fields']);
  expect(header.length).toBeLessThanOrEqual(4_000);
  expect(JSON.parse(header)).toEqual(fields.slice(0, JSON.parse(header).length));
  expect((await run(() => Promise.reject(forbidden('No')))).headers).not.toHaveProperty('x-error-fields');
});
