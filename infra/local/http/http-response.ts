import type { InvocationResult } from '../lambda/worker.ts';

export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** An error response of API Gateway itself. */
export function gatewayError(status: number, message: string): HttpResponse {
  const body = Buffer.from(JSON.stringify({ message }));
  return { status, headers: { 'content-type': 'application/json' }, body };
}

const internalError = () => gatewayError(500, 'Internal Server Error');

/**
 * Converts a function's result to an HTTP response, by API Gateway's payload format 2.0, which also has a short form.
 */
export function toHttpResponse(invocationResult: InvocationResult): HttpResponse {
  if ('failure' in invocationResult) {
    return invocationResult.failure.errorType === 'Sandbox.Timedout'
      ? gatewayError(503, 'Service Unavailable')
      : internalError();
  }
  const result = JSON.parse(invocationResult.payload);
  if (!isStructured(result)) return shortFormResponse(result);
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599 || typeof body !== 'string')
    return internalError();
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value}`])),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** Removes CORS headers, which API Gateway ignores in a function's result. */
export function withoutCorsHeaders(headers: HttpResponse['headers']): HttpResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('access-control-')));
}

interface StructuredResult {
  statusCode: number | string;
  headers?: Record<string, string | number | boolean>;
  cookies?: string[];
  body?: unknown;
  isBase64Encoded?: boolean;
}

function isStructured(result: unknown): result is StructuredResult {
  return typeof result === 'object' && result !== null && 'statusCode' in result;
}

/** Returns the response for a result without a status: a 200 with the result as the JSON body. */
function shortFormResponse(result: unknown): HttpResponse {
  const body = Buffer.from(typeof result === 'string' ? result : JSON.stringify(result));
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}
