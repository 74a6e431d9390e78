/** What went wrong, from the caller's point of view. http/error-response.ts maps each kind to a status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'unsupported-media-type'
  | 'too-many-requests'
  | 'misconfigured'
  | 'provider-failed'
  | 'unavailable';

/**
 * An outcome the caller is told about: `message` is shown as it is, so it never holds a key, a table name or
 * another user's data. `code` is stable, for programs. Anything else that is thrown becomes a bland 500.
 */
export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  /** Whole seconds after which trying again makes sense. */
  readonly retryAfter: number | undefined;

  constructor(kind: ErrorKind, code: string, message: string, retryAfter?: number) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export const invalid = (message: string, code = 'invalid-input') => new DomainError('invalid', code, message);
export const unauthenticated = (message: string, code = 'unauthenticated') =>
  new DomainError('unauthenticated', code, message);
export const forbidden = (message: string, code = 'forbidden') => new DomainError('forbidden', code, message);
export const notFound = (what: string) =>
  new DomainError('not-found', `${what.toLowerCase().replaceAll(' ', '-')}-not-found`, `${what} not found`);
export const conflict = (code: string, message: string, retryAfter?: number) =>
  new DomainError('conflict', code, message, retryAfter);
export const unavailable = (message = 'Please try again in a moment', retryAfter = 1) =>
  new DomainError('unavailable', 'unavailable', message, retryAfter);
