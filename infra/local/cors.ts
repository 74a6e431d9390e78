import type { IncomingHttpHeaders } from 'node:http';
import { cors } from '../cors.ts';
import type { HttpResponse } from './http-response.ts';

/** Pages that somebody develops on this machine, on any port. */
const localhost = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Cross-origin rules as API Gateway applies them, before any function. Beside the configured origins, this machine's
 * own are allowed: the stack is for development, and listens on this machine only.
 */
export class Cors {
  readonly #allowed: Set<string>;

  constructor(allowedOrigins: string) {
    this.#allowed = new Set(allowedOrigins.split(',').map((origin) => origin.trim()));
  }

  /** The answer to a browser's question before the request proper; undefined when it is no such question. */
  preflight(method: string, headers: IncomingHttpHeaders): HttpResponse | undefined {
    if (method !== 'OPTIONS' || !headers.origin || !headers['access-control-request-method'])
      return undefined;
    const allowed = this.#allows(headers) && {
      ...this.headers(headers),
      'access-control-allow-methods': cors.methods.join(','),
      'access-control-allow-headers': cors.requestHeaders.join(','),
      'access-control-max-age': `${cors.maxAgeSeconds}`,
    };
    return { status: 204, headers: allowed || {}, body: Buffer.alloc(0) };
  }

  /** What is added to every answer to an allowed origin. */
  headers(headers: IncomingHttpHeaders): Record<string, string> {
    if (!this.#allows(headers)) return {};
    return {
      'access-control-allow-origin': headers.origin ?? '',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': cors.exposedHeaders.join(','),
      vary: 'origin',
    };
  }

  #allows({ origin }: IncomingHttpHeaders): boolean {
    return origin !== undefined && (this.#allowed.has(origin) || localhost.test(origin));
  }
}
