import { type ErrorCode, type ErrorKind, errorCodes } from '../../shared/core/errors.ts';
import { statuses } from '../../shared/http/contract.ts';
import type { ResponseErrorCode } from './error-meanings.ts';
import type { Operation } from './operations.ts';

/** Returns every error code of an endpoint, by status. */
export function errorCodesOf(operation: Operation): Map<number, ResponseErrorCode[]> {
  const codes = new Set([
    ...impliedCodes(operation),
    ...(operation.contract.errors ?? []),
    'internal-error' as const,
  ]);
  const byStatus = Map.groupBy(codes, statusOf);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** Returns the codes that a contract implies by its caller, its validation and its writes. */
function impliedCodes({ contract, row }: Operation): ErrorCode[] {
  const { caller, path, query, body, idempotent } = contract;
  // A webhook responds to other errors with 500, after which gateways retry.
  if (caller === 'gateway') return ['body-too-large'];
  const hasWrites = row.table.some((action) => /^(Put|Update|Delete)/.test(action));
  const takesCursor = hasProperty(query, 'cursor');
  return [
    ...codesIf(caller !== 'anyone', 'unauthenticated', 'invalid-token'),
    ...codesIf(['organizer', 'admin'].includes(caller), 'forbidden'),
    ...codesIf(path || query || body || idempotent, 'invalid-input'),
    ...codesIf(takesCursor, 'invalid-cursor'),
    ...codesIf(body, 'malformed-json', 'body-too-large', 'not-json'),
    ...codesIf(idempotent, 'in-progress', 'idempotency-key-reused'),
    ...codesIf(hasWrites, 'busy'),
  ];
}

function codesIf(condition: unknown, ...codes: ErrorCode[]): ErrorCode[] {
  return condition ? codes : [];
}

function hasProperty(schema: unknown, name: string): boolean {
  return (
    typeof schema === 'object' && schema !== null && 'shape' in schema && name in (schema.shape as object)
  );
}

function statusOf(code: ResponseErrorCode): number {
  const kinds = Object.entries(errorCodes) as [ErrorKind, readonly string[]][];
  const kind = kinds.find(([, codes]) => codes.includes(code))?.[0];
  return kind ? statuses[kind] : 500;
}
