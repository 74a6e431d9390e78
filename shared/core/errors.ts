/** The kinds of errors that callers can get. http/contract.ts maps each kind to a status. */
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

/** All error codes, by kind. Clients depend on the codes, so a published code never changes. */
export const errorCodes = {
  invalid: [
    'invalid-input',
    'malformed-json',
    'invalid-cursor',
    'currency-not-supported',
    'transaction-unfit',
    'invalid-code',
    'invalid-reset-token',
    'invalid-verification-token',
  ],
  unauthenticated: [
    'unauthenticated',
    'invalid-token',
    'wrong-credentials',
    'invalid-refresh-token',
    'no-signature',
    'invalid-signature',
    'unknown-wallet',
  ],
  forbidden: ['forbidden', 'kyc-required', 'email-not-verified', 'not-contract-admin', 'not-the-owner'],
  'not-found': [
    'path-not-found',
    'user-not-found',
    'event-not-found',
    'tier-not-found',
    'order-not-found',
    'notification-not-found',
    'contract-not-found',
    'seat-not-found',
    'transfer-not-found',
    'ticket-not-found',
    'member-not-found',
    'token-not-found',
    'collection-not-found',
    'banks-not-found',
    'code-unknown',
  ],
  conflict: [
    'busy',
    'unfinished-business',
    'in-progress',
    'idempotency-key-reused',
    'email-taken',
    'not-on-sale',
    'sale-not-started',
    'sale-ended',
    'sold-out',
    'too-few-left',
    'tier-limit',
    'wallet-limit',
    'too-many-open-orders',
    'event-cancelled',
    'tickets-sold',
    'below-sold',
    'several-tiers',
    'too-many-tiers',
    'price-too-precise',
    'has-orders',
    'not-pending',
    'payment-under-way',
    'not-paid',
    'not-crypto',
    'already-paid',
    'paid-too-little',
    'transaction-not-final',
    'transaction-used',
    'nothing-to-fulfil',
    'nothing-to-refund',
    'insufficient-balance',
    'notification-exists',
    'already-checked-in',
    'code-expired',
    'other-event',
    'refunded',
    'no-seat',
    'admitted',
    'moved',
    'wallet-taken',
    'minting',
    'transfers-not-allowed',
    'entry-by-token',
    'entry-by-account',
    'token-moved',
    'gone',
    'already-organizer',
    'code-exists',
    'code-used-up',
    'code-not-for-tier',
    'discount-expired',
    'discount-not-started',
    'nothing-to-reissue',
    'already-reissued',
    'same-wallet',
    'reissue-not-supported',
  ],
  'too-large': ['body-too-large'],
  'unsupported-media-type': ['not-json'],
  'too-many-requests': ['too-many-attempts'],
  misconfigured: ['server-configuration', 'no-table'],
  'provider-failed': ['provider-failed'],
  unavailable: ['unavailable', 'gateway-not-configured', 'crypto-not-configured'],
} as const satisfies Record<ErrorKind, readonly string[]>;
export type ErrorCode<Kind extends ErrorKind = ErrorKind> = (typeof errorCodes)[Kind][number];

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
export const unavailable = (message = 'Please try again in a moment', retryAfter = 1) =>
  new DomainError('unavailable', 'unavailable', message, retryAfter);

type NameFromCode<Code> = Code extends `${infer Name}-not-found` ? Capitalize<Name> : never;
type ResourceName = NameFromCode<ErrorCode<'not-found'>>;
export const notFound = (resource: ResourceName) =>
  new DomainError('not-found', `${resource.toLowerCase()}-not-found` as ErrorCode, `${resource} not found`);
