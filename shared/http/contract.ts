import type * as z from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import type { CallerRule } from './authorize.ts';

/** JSON Schema as it is, for functions that are too small to carry a validator. */
export type JsonSchema = { readonly [keyword: string]: unknown };
type Schema = z.ZodType | JsonSchema;

/**
 * What callers need to know of an endpoint. Validation and types follow from it, and so do the API reference, the
 * client and the README's table of endpoints: nothing of this is written down twice.
 */
export interface Contract {
  /** What it does, in a line. */
  summary: string;
  /** What else there is to know. */
  description?: string;
  caller: CallerRule | 'gateway';
  /** Whom it serves, where a token alone does not decide that. */
  who?: string;
  path?: Schema;
  query?: Schema;
  body?: Schema;
  /** The body of a success. */
  response: Schema;
  /** The status of a success; 200 unless something was created. */
  status?: 200 | 201;
  /** What may be refused, beside what follows from the rest: see infra/openapi/errors.ts. */
  errors?: readonly ErrorCode[];
  /** Whether a repeated call with the same Idempotency-Key is answered as the first was. */
  idempotent?: true;
  /** What it does with the cookie that carries the refresh token. */
  refreshCookie?: 'sets' | 'needs' | 'ends';
  /** The header by which a gateway proves who it is. */
  signatureHeader?: string;
  /** The media type of a success; JSON unless it is something else. */
  type?: string;
  /** Whether it answers in CSV when asked for text/csv. */
  csv?: true;
}

/** The body that says no more than that all went well. */
export const okSchema: JsonSchema = {
  type: 'object',
  properties: { ok: { const: true } },
  required: ['ok'],
};

/** Lets a handler tell its contract to whoever writes the reference. */
export function describe<Handler extends object>(handler: Handler, contract: Contract) {
  return Object.assign(handler, { contract });
}
