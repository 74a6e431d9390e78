import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { DomainError } from '../core/errors.ts';
import { log } from '../runtime/log.ts';
import { errorResponse } from './error-response.ts';

export type HttpHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * The chain every HTTP function runs in: whatever is thrown becomes an answer in the one error shape, each
 * answer carries the request id, and each request leaves one line in the log.
 */
export function httpChain(handler: HttpHandler) {
  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
    .use({
      after: ({ event, response }) => finish(event, response),
      onError: (request) => {
        if (!(request.error instanceof DomainError)) {
          log.error('Request failed', request.error, { requestId: request.event.requestContext.requestId });
        }
        request.response = errorResponse(request.error);
        finish(request.event, request.response);
      },
    })
    .handler(handler);
}

/** An answer with a JSON body, or a text that comes with a content type of its own. */
export function jsonResponse(
  statusCode: number,
  body: object | string,
  extra: { headers?: Record<string, string>; cookies?: string[] } = {},
): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...extra.headers,
    },
    ...(extra.cookies && { cookies: extra.cookies }),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/**
 * On every answer that does not say otherwise: nobody keeps it, browsers take it for nothing but what it says it
 * is, and come back over HTTPS alone (which they only heed where they came over HTTPS).
 */
const precautions = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
};

function finish(event: APIGatewayProxyEventV2, response: APIGatewayProxyStructuredResultV2 | null): void {
  if (!response) return;
  const { requestId } = event.requestContext;
  response.headers = { ...precautions, ...response.headers, 'x-request-id': requestId };
  log.info('Request', { requestId, route: event.routeKey, status: response.statusCode });
}
