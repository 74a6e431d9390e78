import type { IncomingHttpHeaders } from 'node:http';
import { cors } from '../cors.ts';

/** Cross-origin rules as API Gateway applies them: in place of any CORS headers that a function answers with. */
export class Cors {
  readonly #allowed: Set<string>;

  constructor(allowedOrigins: string) {
    this.#allowed = new Set(allowedOrigins.split(',').map((origin) => origin.trim()));
  }

  /** The headers that are added to an answer; none when the origin is not allowed. */
  headers(method: string | undefined, headers: IncomingHttpHeaders): Record<string, string> {
    const { origin } = headers;
    if (origin === undefined || !this.#allowed.has(origin)) return {};
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
}

/** Whether a browser asks if it may send the request proper. */
export function isPreflight(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}
