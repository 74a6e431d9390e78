import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { InvocationResult } from '../lambda/worker.ts';
import { accountId } from '../services/aws.ts';
import type { RouteMatch } from './routes.ts';

/** Bodies of these types are passed as text, all others in base64. */
const textTypes = /^(?:text\/|application\/(?:json|javascript|xml|[\w.-]+\+(?:json|xml))\s*(?:;|$))/i;

/**
 * Splits a request target into path and query. The target is absolute (`http://host/path`) in requests from proxies.
 */
export function splitTarget(target: string): { path: string; query: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '');
  const queryStart = relative.indexOf('?');
  const path = queryStart < 0 ? relative : relative.slice(0, queryStart);
  return {
    path: path.startsWith('/') ? path : `/${path}`,
    query: queryStart < 0 ? '' : relative.slice(queryStart + 1),
  };
}

/** Converts a request to API Gateway's event, in payload format 2.0. */
export function toHttpEvent(
  request: IncomingMessage,
  body: Buffer,
  match: RouteMatch,
): APIGatewayProxyEventV2 {
  const { path, query } = splitTarget(request.url ?? '/');
  const method = request.method ?? 'GET';
  const { cookie, ...headers } = joinHeaders(request.rawHeaders);
  const sourceIp = request.socket.remoteAddress ?? '';
  const now = new Date();
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookie && { cookies: cookie.split(/;\s*/) }),
    headers: {
      ...headers,
      'x-forwarded-for': [headers['x-forwarded-for'], sourceIp].filter(Boolean).join(', '),
      'x-forwarded-port': `${request.socket.localPort}`,
      'x-forwarded-proto': 'http',
    },
    ...(query && { queryStringParameters: joinValues(new URLSearchParams(query)) }),
    ...(match.pathParameters && { pathParameters: match.pathParameters }),
    requestContext: {
      accountId,
      apiId: 'local',
      domainName: headers.host ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: match.routeKey,
      stage: '$default',
      time: commonLogTime(now),
      timeEpoch: now.getTime(),
    },
    ...encodedBody(body, headers['content-type'] ?? ''),
  };
}

function encodedBody(body: Buffer, contentType: string): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = textTypes.test(contentType) && isUtf8(body);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

/** Lower-cases the names and joins the values of a repeated header with commas. */
function joinHeaders(raw: string[]): Record<string, string> {
  const pairs = raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? '']] : [],
  );
  return joinValues(pairs);
}

function joinValues(pairs: Iterable<[string, string]>): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const earlier = values.get(name);
    const separator = name === 'cookie' ? '; ' : ',';
    values.set(name, earlier === undefined ? value : earlier + separator + value);
  }
  return Object.fromEntries(values);
}

/** `21/Nov/2026:13:02:09 +0000` */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

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

/** The types of errors after which API Gateway's HTTP APIs answer 503. */
const unavailableTypes = new Set(['Sandbox.Timedout', 'TooManyRequestsException']);

/**
 * Converts a function's result to an HTTP response, by API Gateway's payload format 2.0, which also has a short form.
 */
export function toHttpResponse(invocationResult: InvocationResult): HttpResponse {
  if ('failure' in invocationResult) {
    return unavailableTypes.has(invocationResult.failure.errorType)
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

/**
 * Returns the body's exact bytes, or undefined for a body above `limit` bytes. The rest of a larger body is read and
 * discarded, so that the client can read the response.
 * @throws Error when the client disconnects before the end
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The client disconnected')));
  });
}
