import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod';
import {
  DomainError,
  type ErrorKind,
  type InvalidField,
  invalid,
  invalidFields,
  TableUnavailable,
  unavailable,
} from '../core/errors.ts';
import { log } from '../runtime/telemetry.ts';
import type { JsonSchema } from './contract.ts';

/** Middy middlewares of the HTTP functions. A middleware that reads a part of the request adds it to the event. */

type HttpEvent = APIGatewayProxyEventV2;
type HttpResponse = APIGatewayProxyStructuredResultV2;
export type Middleware<Added = unknown> = middy.MiddlewareObj<HttpEvent & Added, HttpResponse>;

/** Returns the base of every HTTP function: the request log, default headers and error responses. */
export function http() {
  return middy<HttpEvent, HttpResponse>().use(logRequests()).use(addDefaultHeaders()).use(convertErrors());
}

/** Logs a line per request, and adds the request's id to the response as `x-request-id`. */
function logRequests(): Middleware {
  const logRequest = ({ event, response }: middy.Request<HttpEvent, HttpResponse>) => {
    if (!response) return;
    const { requestId } = event.requestContext;
    response.headers = { ...response.headers, 'x-request-id': requestId };
    log.info('Request', { requestId, route: event.routeKey, status: response.statusCode });
  };
  return { after: logRequest, onError: logRequest };
}

/** Headers of every response. A response may set other values. */
const defaultHeaders = {
  'cache-control': 'no-store',
  // Disables MIME sniffing.
  'x-content-type-options': 'nosniff',
  // Browsers ignore it on plain HTTP.
  'strict-transport-security': 'max-age=31536000',
};

function addDefaultHeaders(): Middleware {
  const addHeaders = ({ response }: middy.Request<HttpEvent, HttpResponse>) => {
    if (response) response.headers = { ...defaultHeaders, ...response.headers };
  };
  return { after: addHeaders, onError: addHeaders };
}

/**
 * Maps errors to responses: a DomainError to its status and message, TableUnavailable and the end of the function's time
 * to a 503, any other error to a 500 without details. Logs the other errors.
 */
function convertErrors(): Middleware {
  return {
    onError: (request) => {
      const { requestId } = request.event.requestContext;
      if (request.error instanceof TableUnavailable) {
        log.warn('Table not available', { requestId, reason: String(request.error.cause) });
      } else if (!(request.error instanceof DomainError)) {
        log.error('Request failed', request.error, { requestId });
      }
      request.response = toErrorResponse(request.error);
    },
  };
}

/** The HTTP status of each kind of error. */
export const statuses: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  misconfigured: 500,
  'provider-failed': 502,
  unavailable: 503,
};

/** Returns whether middy ended the function shortly before its timeout: something that it called has not answered. */
function isOutOfTime(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') return false;
  return (error.cause as { package?: string } | undefined)?.package === '@middy/core';
}

export function toErrorResponse(error: unknown): HttpResponse {
  const isUnavailable = error instanceof TableUnavailable || isOutOfTime(error);
  const domainError = isUnavailable ? unavailable() : toDomainError(error);
  const body = { error: domainError?.message ?? 'Something went wrong. Please try again later.' };
  return jsonResponse(domainError ? statuses[domainError.kind] : 500, body, {
    headers: {
      'x-error-code': domainError?.code ?? 'internal-error',
      ...(domainError?.kind === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
      ...(domainError?.retryAfter !== undefined && { 'retry-after': String(domainError.retryAfter) }),
      ...(domainError?.tierId !== undefined && { 'x-error-tier': domainError.tierId }),
      ...(domainError?.position !== undefined && { 'x-queue-position': String(domainError.position) }),
      ...(domainError?.confirmWith.length && { 'x-confirm-with': domainError.confirmWith.join(',') }),
      ...toFieldsHeader(domainError?.fields ?? []),
    },
  });
}

const toDomainError = (error: unknown) => (error instanceof DomainError ? error : undefined);

/** API Gateway allows 10,240 bytes for all headers of a response. */
const maximumFieldsBytes = 4_000;

/**
 * Returns the header with all invalid fields, as JSON in ASCII. It is a header, since the body of an error contains
 * only its message. Fields that do not fit are left out.
 */
function toFieldsHeader(fields: readonly InvalidField[]): Record<string, string> {
  const entries: string[] = [];
  let length = 2;
  for (const field of fields) {
    const entry = JSON.stringify(field).replace(/[^ -~]/g, escapeCodeUnit);
    length += entry.length + 1;
    if (length > maximumFieldsBytes) break;
    entries.push(entry);
  }
  return entries.length > 0 ? { 'x-error-fields': `[${entries.join(',')}]` } : {};
}

/** Escapes a UTF-16 code unit: `é` becomes `\u00e9`. */
const escapeCodeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The schema of `{ "ok": true }`. */
export const okSchema: JsonSchema = {
  type: 'object',
  properties: { ok: { const: true } },
  required: ['ok'],
};

/** Returns a JSON response. A string or bytes are sent unchanged, with the content type of `headers`. */
export function jsonResponse(
  statusCode: number,
  body: object | string | Buffer,
  { headers, cookies }: { headers?: Record<string, string>; cookies?: string[] } = {},
): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    ...(cookies && { cookies }),
    ...encodeBody(body),
  };
}

function encodeBody(body: object | string | Buffer): Pick<HttpResponse, 'body' | 'isBase64Encoded'> {
  if (Buffer.isBuffer(body)) return { body: body.toString('base64'), isBase64Encoded: true };
  return { body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** The largest accepted body, in bytes. */
export const maximumBodyBytes = 256 * 1024;

/** Returns a middleware that adds the exact bytes of the body to the event. @throws DomainError 413 over 256 KiB */
export function readRawBody(): Middleware<{ rawBody: Buffer }> {
  return {
    before: ({ event }) => {
      event.rawBody = readBodyBytes(event);
    },
  };
}

export function readBodyBytes(event: HttpEvent): Buffer {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maximumBodyBytes) {
    throw new DomainError('too-large', 'body-too-large', 'The body is larger than 256 KiB');
  }
  return bytes;
}

/** Parses the body as JSON. @throws DomainError 413 over 256 KiB, 415 for another content type, 400 for invalid JSON */
export function readJson(event: HttpEvent): unknown {
  const bytes = readBodyBytes(event);
  if (bytes.length === 0) throw invalid('A JSON body is required');
  const type = event.headers['content-type'] ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DomainError('unsupported-media-type', 'not-json', 'The content type must be application/json');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), rejectUnsafeValue);
  } catch {
    throw invalid('The body is not valid JSON', 'malformed-json');
  }
}

/** Rejects `__proto__`, which pollutes prototypes when copied, and lone surrogates, which DynamoDB refuses. */
function rejectUnsafeValue(key: string, value: unknown): unknown {
  if (key === '__proto__' || (typeof value === 'string' && !value.isWellFormed())) throw new SyntaxError();
  return value;
}

/** The validated parts of a request. */
export interface Parsed<Body, Query, Path> {
  body: Body;
  query: Query;
  path: Path;
}

interface Schemas<Body extends z.ZodType, Query extends z.ZodType, Path extends z.ZodType> {
  body?: Body;
  query?: Query;
  path?: Path;
}

/**
 * Returns a middleware that validates the parts of a request by schemas and adds them to the event.
 * @throws DomainError 400 with the invalid fields of the first invalid part; 413 for a body over 256 KiB; 415 for
 * another content type than JSON
 */
export function parseRequest<Body extends z.ZodType, Query extends z.ZodType, Path extends z.ZodType>(
  schemas: Schemas<Body, Query, Path>,
): middy.MiddlewareObj<
  APIGatewayProxyEventV2 & { parsed: Parsed<z.infer<Body>, z.infer<Query>, z.infer<Path>> }
> {
  return {
    before: ({ event }) => {
      event.parsed = {
        path: parsePart(schemas.path, () => event.pathParameters ?? {}),
        query: parsePart(schemas.query, () => event.queryStringParameters ?? {}),
        // An optional body may be absent.
        body: parsePart(schemas.body, () =>
          !event.body && isOptional(schemas.body) ? undefined : readJson(event),
        ),
      };
    },
  };
}

const isOptional = (schema: z.ZodType | undefined) => schema?.safeParse(undefined).success;

/** Parses a part of a request; returns undefined without a schema. */
function parsePart<Schema extends z.ZodType>(
  schema: Schema | undefined,
  read: () => unknown,
): z.infer<Schema>;
function parsePart(schema: z.ZodType | undefined, read: () => unknown): unknown {
  return schema && validate(schema, read());
}

// These messages continue a sentence that begins with the field's path. A schema's own message that begins with a
// capital letter is a whole sentence and is shown unchanged.
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined ? 'is required' : `must be ${withArticle(issue.expected)}`;
      case 'too_small':
        return issue.origin === 'string'
          ? Number(issue.minimum) === 1
            ? 'must not be empty'
            : `must have at least ${issue.minimum} characters`
          : `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
      case 'too_big':
        if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
        if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
        return `must be at most ${issue.maximum}`;
      case 'invalid_value':
        return issue.input === undefined ? 'is required' : `must be one of ${issue.values.join(', ')}`;
      default:
        return 'is not valid';
    }
  },
});

/** Validates and converts a value by a schema. @throws DomainError 400 with all invalid fields */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const byPath = Map.groupBy(result.error.issues, ({ path }) => path.join('.'));
  const [first = { path: '', message: 'The body is not valid' }, ...others] = [...byPath].map(toInvalidField);
  throw invalidFields(first, ...others);
}

/** Describes the first error of a field. */
function toInvalidField([path, [issue]]: [string, z.core.$ZodIssue[]]): InvalidField {
  const message = issue?.message ?? 'is not valid';
  return { path, message: /^[A-Z]/.test(message) ? message : `${path || 'The body'} ${message}` };
}

function withArticle(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
