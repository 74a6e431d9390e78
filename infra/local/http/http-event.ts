import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { accountId } from '../parts/aws.ts';
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
