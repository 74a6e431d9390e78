import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { DomainError, type ErrorKind } from '../core/errors.ts';

/** By the kind of an error. */
export const statuses: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  misconfigured: 500,
  'provider-failed': 502,
  unavailable: 503,
};

/** The answer for anything thrown: its own sentence for a DomainError, a bland 500 for the rest. */
export function errorResponse(error: unknown): APIGatewayProxyStructuredResultV2 {
  const known = error instanceof DomainError ? error : undefined;
  return {
    statusCode: known ? statuses[known.kind] : 500,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-error-code': known?.code ?? 'internal-error',
      ...(known?.kind === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
      ...(known?.retryAfter !== undefined && { 'retry-after': String(known.retryAfter) }),
    },
    body: JSON.stringify({ error: known?.message ?? 'Something went wrong' }),
  };
}
