import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ErrorCode, type ErrorKind, errorMeanings } from '../../shared/core/error-codes.ts';
import type { Contract } from '../../shared/http/contract.ts';
import { statuses } from '../../shared/http/middleware.ts';
import { type FunctionRow, functions } from '../functions.ts';

const handlerDirectory = path.resolve(import.meta.dirname, '..', '..', 'functions');

/** An endpoint: its row in infra/functions.ts, and its handler's contract. */
export interface Operation {
  row: FunctionRow;
  method: string;
  path: string;
  contract: Contract;
}

/**
 * Reads all endpoints of the API, in the order of their rows.
 * @throws Error for a handler without a contract
 */
export async function readOperations(
  rows: readonly FunctionRow[] = functions,
  folder = handlerDirectory,
): Promise<Operation[]> {
  const operations = rows.map(async (row) => {
    const [, method, route] = ('route' in row.trigger && /^(\w+) (\/api\/.*)$/.exec(row.trigger.route)) || [];
    if (!method || !route) return [];
    const { handler } = await import(pathToFileURL(path.join(folder, `${row.entry}.ts`)).href);
    if (!handler.definition) throw new Error(`${row.entry} has no contract`);
    return [{ row, method, path: route, contract: handler.definition as Contract }];
  });
  return (await Promise.all(operations)).flat();
}

/** A code of the `x-error-code` header: of a known error, or of an unexpected one. */
export type ResponseErrorCode = ErrorCode | 'internal-error';

const kinds = Object.entries(errorMeanings) as [ErrorKind, Record<string, string>][];

/** Returns the meaning of a code, and what a client can do. */
export function meaningOf(code: ResponseErrorCode): string {
  const kind = kinds.find(([, meanings]) => code in meanings);
  return kind?.[1][code] ?? 'An unexpected error. Include `x-request-id` in a report.';
}

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
    ...codesIf(contract.fresh, 'confirmation-required'),
    ...codesIf(contract.orderToken, 'token-replaced'),
    ...codesIf(caller !== 'anyone', 'scope-missing'),
    ...codesIf(contract.apiKey, 'too-many-attempts'),
    ...codesIf(['organizer', 'admin'].includes(caller), 'forbidden'),
    ...codesIf(path || query || body || idempotent, 'invalid-input'),
    ...codesIf(takesCursor, 'invalid-cursor'),
    ...codesIf(body, 'malformed-json', 'body-too-large', 'not-json'),
    ...codesIf(idempotent, 'in-progress', 'idempotency-key-reused'),
    ...codesIf(hasWrites, 'busy'),
    ...codesIf(row.table.length > 0 || row.indexes || row.secrets, 'unavailable'),
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
  const kind = kinds.find(([, meanings]) => code in meanings);
  return kind ? statuses[kind[0]] : 500;
}
