import type { IncomingHttpHeaders } from 'node:http';
import { cors } from '../cors.ts';
import type { HttpResponse } from './http-response.ts';

/** CORS as API Gateway applies it: independent of the functions' responses. */
export class Cors {
  readonly #allowed: Set<string>;

  constructor(allowedOrigins: string) {
    this.#allowed = new Set(allowedOrigins.split(',').map((origin) => origin.trim()));
  }

  /** Returns the response to a preflight request, or undefined for any other request. */
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

  /** Returns the headers to add to a response, which are none for an origin that is not allowed. */
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
    return origin !== undefined && this.#allowed.has(origin);
  }
}
