import type { ErrorCode, ErrorKind } from './error-codes.ts';

export type { ErrorCode, ErrorKind };

/** An invalid field of a request. */
export interface InvalidField {
  /** Its path in the request: `tiers.0.price`. */
  path: string;
  /** A sentence. It begins with the path, unless the schema defines the whole sentence. */
  message: string;
}

/**
 * An error that the response describes. The response contains `message` unchanged, so it must not contain keys, table
 * names or other users' data. `code` is for programs. Any other error becomes a 500 without details.
 */
export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  /** When to retry, in whole seconds from now. */
  readonly retryAfter: number | undefined;
  /** The invalid fields of the request; empty for other errors. */
  readonly fields: readonly InvalidField[];
  /** The tier that the error is about, for a request that may name several. */
  tierId: string | undefined;
  /** What confirms the session, for a request that needs a fresh one. */
  confirmWith: readonly string[] = [];

  /** How many people are before the caller in a queue, if that is known. */
  position: number | undefined;

  constructor(
    kind: ErrorKind,
    code: ErrorCode,
    message: string,
    retryAfter?: number,
    fields: readonly InvalidField[] = [],
  ) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.retryAfter = retryAfter;
    this.fields = fields;
  }
}

/**
 * The error of an operation that has undone its work, including the work of an interrupted call that it continues. The
 * next call with the same Idempotency-Key starts anew.
 */
export class OperationUndone extends DomainError {}

/** Returns an error with the tier that it is about. */
export function aboutTier(tierId: string, error: DomainError): DomainError {
  error.tierId = tierId;
  return error;
}

/**
 * The table throttles, fails or does not answer. It becomes a 503 with Retry-After. It is no DomainError, since code that
 * handles a refusal must not take it for one.
 */
export class TableUnavailable extends Error {
  constructor(cause: unknown) {
    super('The table is not available', { cause });
  }
}

export const invalid = (message: string, code: ErrorCode<'invalid'> = 'invalid-input') =>
  new DomainError('invalid', code, message);
/** Returns the error for invalid fields, with the message of the first. */
export const invalidFields = (first: InvalidField, ...others: InvalidField[]) =>
  new DomainError('invalid', 'invalid-input', first.message, undefined, [first, ...others]);
export const unauthenticated = (message: string, code: ErrorCode<'unauthenticated'> = 'unauthenticated') =>
  new DomainError('unauthenticated', code, message);
export const forbidden = (message: string, code: ErrorCode<'forbidden'> = 'forbidden') =>
  new DomainError('forbidden', code, message);
export const conflict = (code: ErrorCode<'conflict'>, message: string, retryAfter?: number) =>
  new DomainError('conflict', code, message, retryAfter);
export const gone = (code: ErrorCode<'gone'>, message: string) => new DomainError('gone', code, message);
export const unavailable = (message = 'Please try again in a moment', retryAfter = 1) =>
  new DomainError('unavailable', 'unavailable', message, retryAfter);

type NameFromCode<Code> = Code extends `${infer Name}-not-found` ? Capitalize<Name> : never;
type ResourceName = NameFromCode<ErrorCode<'not-found'>>;
export const notFound = (resource: ResourceName) =>
  new DomainError('not-found', `${resource.toLowerCase()}-not-found` as ErrorCode, `${resource} not found`);

/** Ignores, as the handler of a promise, that what was to be removed or changed is gone already. @throws any other error */
export function ignoreNotFound(error: unknown): void {
  if (!(error instanceof DomainError) || error.kind !== 'not-found') throw error;
}
