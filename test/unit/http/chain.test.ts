import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import { forbidden, unauthenticated } from '../../../shared/core/errors.ts';
import { type HttpHandler, httpChain, jsonResponse } from '../../../shared/http/middleware.ts';

async function answer(handler: HttpHandler) {
  const event = { headers: {}, routeKey: 'GET /', requestContext: { requestId: 'r1' } };
  const result = await httpChain(handler)(event as unknown as APIGatewayProxyEventV2, {} as Context);
  return result as APIGatewayProxyStructuredResultV2;
}

const precautions = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
};

it.each<[string, HttpHandler, number]>([
  ['a success', async () => jsonResponse(200, { ok: true }), 200],
  ['a refusal', () => Promise.reject(forbidden('No')), 403],
  ['a failure', () => Promise.reject(new TypeError('secret of ours')), 500],
])('%s carries its request’s id, and the precautions', async (_, handler, status) => {
  const { statusCode, headers, body } = await answer(handler);
  expect(statusCode).toBe(status);
  expect(headers).toMatchObject({ ...precautions, 'x-request-id': 'r1' });
  expect(body).not.toContain('secret of ours');
});

it('a 401 has a WWW-Authenticate header', async () => {
  const { headers } = await answer(() => Promise.reject(unauthenticated('Authentication required')));
  expect(headers).toMatchObject({ 'www-authenticate': 'Bearer' });
});

it('an answer may override headers, except the request id', async () => {
  const own = { 'cache-control': 'public, max-age=60', 'x-request-id': 'mine' };
  const { headers } = await answer(async () => jsonResponse(200, {}, { headers: own }));
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=60', 'x-request-id': 'r1' });
});
