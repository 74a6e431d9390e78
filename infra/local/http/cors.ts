import type { IncomingHttpHeaders } from 'node:http';
import { cors } from '../../cors.ts';

/** Origins of this machine, on any port. */
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

  /** The headers that are added to an answer; none when the origin is not allowed. */
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
    return this.#allowed.has(origin) || localhost.test(origin);
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
