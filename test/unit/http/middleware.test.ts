import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import { forbidden, unauthenticated } from '../../../shared/core/errors.ts';
import { http, jsonResponse } from '../../../shared/http/middleware.ts';

type Handler = () => Promise<APIGatewayProxyStructuredResultV2>;

async function answer(handler: Handler) {
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
  ['a failure', () => Promise.reject(new TypeError('secret of ours')), 500],
])('%s carries the request id and the default headers', async (_, handler, status) => {
  const { statusCode, headers, body } = await answer(handler);
  expect(statusCode).toBe(status);
  expect(headers).toMatchObject({ ...defaultHeaders, 'x-request-id': 'r1' });
  expect(body).not.toContain('secret of ours');
});

it('a 401 names the authentication scheme', async () => {
  const { headers } = await answer(() => Promise.reject(unauthenticated('Authentication required')));
  expect(headers).toMatchObject({ 'www-authenticate': 'Bearer' });
});

it('a response may override the default headers, but not the request id', async () => {
  const own = { 'cache-control': 'public, max-age=60', 'x-request-id': 'mine' };
  const { headers } = await answer(async () => jsonResponse(200, {}, { headers: own }));
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=60', 'x-request-id': 'r1' });
});
