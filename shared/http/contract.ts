import type * as z from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import type { Resources, Route } from '../runtime/function.ts';
import type { AccessClaims } from '../runtime/tokens.ts';

/**
 * Who may call an endpoint. `anyone` ignores tokens, and `optional` identifies a caller with a token. `guest` admits a
 * user, and a request without a token whose body names a `customer`.
 */
export type CallerRule = 'anyone' | 'optional' | 'guest' | 'user' | 'organizer' | 'admin';

/**
 * Verifies the access token of a guest's order, and returns the guest as the caller.
 * @param path the parameters of the path, not yet validated
 * @throws DomainError 401
 */
type VerifyOrderToken = (
  token: string,
  path: Readonly<Record<string, string | undefined>>,
) => Promise<AccessClaims>;

/**
 * Requires a fresh session of the caller, where the stage does. May read the validated body and path.
 * @throws DomainError 403 `confirmation-required`
 */
// biome-ignore lint/suspicious/noExplicitAny: the endpoint's types have the caller, the body and the path
type RequireFresh = (caller: any, body: any, path: any) => Promise<void> | undefined;

/**
 * Verifies an API key, and returns its organizer as the caller.
 * @param eventId the event that the path names
 * @throws DomainError 401, 403, 404, 429
 */
type VerifyApiKey = (secret: string, eventId: string | undefined) => Promise<AccessClaims>;

/** Plain JSON Schema, for functions that start without a validator. */
export type JsonSchema = { readonly [keyword: string]: unknown };
type Schema = z.ZodType | JsonSchema;

/**
 * An endpoint apart from its code. Its route, permissions, validation and types, the API reference, the client and the
 * README's table of endpoints come from it.
 */
export interface Contract extends Resources {
  route: Route;
  /** The operation in the imperative: "List the caller's tickets". */
  summary: string;
  /** Details for the API reference. */
  description?: string;
  caller: CallerRule | 'gateway';
  /** Admits the access token of the order that the path names as well: `Authorization: Order <token>`. */
  orderToken?: VerifyOrderToken;
  /** Requires that the user has just proved who they are, for what moves money or rights. */
  fresh?: RequireFresh;
  /** Admits API keys that have a scope; an endpoint without it is closed to them. */
  apiKey?: { scope: string; verify: VerifyApiKey };
  /** Who may call the endpoint, when the access token alone does not decide it. */
  callerDescription?: string;
  path?: Schema;
  query?: Schema;
  body?: Schema;
  /** The body of a successful response. */
  response: Schema;
  /** The status of a successful response; default 200. */
  status?: 200 | 201 | 202;
  /** Error codes in addition to those that the other fields imply: see infra/openapi/operations.ts. */
  errors?: readonly ErrorCode[];
  /** Whether the endpoint accepts the Idempotency-Key header. */
  idempotent?: true;
  /** Whether the endpoint accepts the ticket of a queue, as the header `x-queue-ticket`. */
  queueTicket?: true;
  /** How the endpoint uses the refresh token's cookie. */
  refreshCookie?: 'sets' | 'needs' | 'clears';
  /** The header that authenticates a gateway. */
  signatureHeader?: string;
  /** The media type of a successful response. Default JSON. */
  mediaType?: string;
  /** The condition for a redirect (307), as the API reference shows it. */
  redirect?: string;
  /** Whether the endpoint returns CSV on `Accept: text/csv`. */
  csv?: true;
}
