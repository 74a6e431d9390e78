import type { IncomingHttpHeaders } from 'node:http';
import { cors } from '../../cors.ts';

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
