import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { cors } from '../../browser-policies.ts';
import type { Invoke } from '../lambda/lambda.ts';
import {
  gatewayError,
  type HttpResponse,
  readBody,
  splitTarget,
  toHttpEvent,
  toHttpResponse,
} from './payload.ts';
import type { Routes } from './routes.ts';
import type { Site } from './site.ts';

/** API Gateway's limit, in bytes. The functions apply the service's smaller limit. */
const bodyLimit = 10 * 1024 * 1024;
const headerLimit = 16 * 1024;

export interface Gateway {
  routes: Routes;
  cors: Cors;
  invoke: Invoke;
  /** Serves files for paths without a route. */
  site?: Site;
}

/**
 * Creates the server of the HTTP API, which converts each request to an event, and the function's result to a response.
 * @param gateway returns undefined until the other services have started; until then every response is a 503
 */
export function createHttpApi(gateway: () => Gateway | undefined): Server {
  // A client that reuses an idle connection while the server closes it gets no response. So the server keeps idle
  // connections longer than its clients do.
  const limits = { maxHeaderSize: headerLimit, requestTimeout: 60_000, keepAliveTimeout: 65_000 };
  const server = createServer(limits, (request, response) => {
    handleRequest(request, gateway())
      .then((reply) => send(response, reply))
      // The client has disconnected, or the function returned an invalid header.
      .catch(() => send(response, gatewayError(500, 'Internal Server Error')));
  });
  server.on('clientError', refuseInvalidHttp);
  return server;
}

async function handleRequest(request: IncomingMessage, gateway: Gateway | undefined): Promise<HttpResponse> {
  if (!gateway) return gatewayError(503, 'Service Unavailable');
  const body = await readBody(request, bodyLimit);
  const reply = body
    ? await routeRequest(request, body, gateway)
    : gatewayError(413, 'Request Entity Too Large');
  const corsHeaders = gateway.cors.headers(request.method, request.headers);
  return { ...reply, headers: { ...withoutCorsHeaders(reply.headers), ...corsHeaders } };
}

/**
 * Routes a request. As in API Gateway, a matching route precedes the built-in preflight response. `$default` matches
 * OPTIONS too.
 */
async function routeRequest(
  request: IncomingMessage,
  body: Buffer,
  { routes, invoke, site }: Gateway,
): Promise<HttpResponse> {
  const { method = '', url = '/' } = request;
  const { path } = splitTarget(url);
  const match = routes.find(method, path);
  const hasOwnRoute = match !== undefined && match.routeKey !== '$default';
  const file =
    !hasOwnRoute && /^(GET|HEAD)$/.test(method) ? await site?.find(path, request.headers) : undefined;
  if (file) return file;
  if (match) return toHttpResponse(await invoke(match.functionName, toHttpEvent(request, body, match)));
  return isPreflight(method, request.headers)
    ? { status: 204, headers: {}, body: Buffer.alloc(0) }
    : gatewayError(404, 'Not Found');
}

function send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  if (response.headersSent) return;
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

/** Refuses invalid HTTP, and headers above the limit. */
function refuseInvalidHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/** Matches the origins of this machine, on any port. */
const localOrigin = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * The CORS rules, which API Gateway applies without a function. In addition to the configured origins, all origins of
 * this machine are allowed, since the stack is for development and listens on this machine only.
 */
export class Cors {
  readonly #allowed: Set<string>;

  constructor(allowedOrigins: string) {
    this.#allowed = new Set(allowedOrigins.split(',').map((origin) => origin.trim()));
  }

  /** Returns the headers to add to a response; none when the origin is not allowed. */
  headers(method: string | undefined, headers: IncomingHttpHeaders): Record<string, string> {
    const { origin } = headers;
    if (origin === undefined || !this.#allows(origin)) return {};
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': cors.exposedHeaders.join(','),
      vary: 'origin',
      ...(isPreflight(method, headers) && {
        'access-control-allow-methods': cors.methods.join(','),
        'access-control-allow-headers': cors.requestHeaders.join(','),
        'access-control-max-age': `${cors.maxAgeSeconds}`,
      }),
    };
  }

  #allows(origin: string): boolean {
    return this.#allowed.has(origin) || localOrigin.test(origin);
  }
}

/** Returns whether a request is a CORS preflight. */
export function isPreflight(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/** Removes CORS headers, which API Gateway ignores in a function's result. */
export function withoutCorsHeaders(headers: HttpResponse['headers']): HttpResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('access-control-')));
}
