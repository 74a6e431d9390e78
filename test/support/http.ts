import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { inject } from 'vitest';
import { resolveConfiguration } from '../../infra/local/defaults.ts';
import { sharedStack } from './stack.ts';

/** A response of the API. */
export interface Answer {
  status: number;
  /** The parsed JSON, or the text of another content type. Of a PDF file or a picture the bytes, as Latin-1. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields that it needs
  body: any;
  headers: Headers;
  /** The `Set-Cookie` lines. */
  cookies: string[];
}

export interface CallOptions {
  /** An access token; `Order …` for the access token of a guest's order. */
  token?: string;
  /** An object is sent as JSON, a string or bytes unchanged. */
  body?: object | string | Uint8Array;
  headers?: Record<string, string>;
  /** As a browser sends it: `name=value`. */
  cookie?: string;
  /** Defaults to the shared stack's. */
  apiUrl?: string;
}

let reference: Promise<Reference> | undefined;
const recordedOperations = new Set<string>();

/** Records an operation's success for every-operation.ts. */
function recordSuccess(operation: string): void {
  const file = inject('succeededFile');
  if (!file || recordedOperations.has(operation)) return;
  recordedOperations.add(operation);
  appendFileSync(file, `${operation}\n`);
}

/** Reads the API reference of the shared stack once. */
function sharedReference(): Promise<Reference> {
  reference ??= fetch(`${sharedStack().apiUrl}/api/openapi.json`).then(
    async (response) => new Reference(await response.json(), recordSuccess),
  );
  return reference;
}

/**
 * Sends a request to the API and returns the response of any status.
 * @throws Error when the shared stack's answer does not match its API reference
 */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { token, body, headers, cookie, apiUrl = sharedStack().apiUrl } = options;
  const response = await fetch(apiUrl + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: token.startsWith('Order ') ? token : `Bearer ${token}` }),
      ...(cookie && { cookie }),
      ...headers,
    },
    body: isSentUnchanged(body) ? body : JSON.stringify(body),
  });
  const contentType = response.headers.get('content-type') ?? '';
  const isJson = contentType.startsWith('application/json');
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString(
    ['application/pdf', 'application/vnd.apple.pkpass', 'image/jpeg'].includes(contentType)
      ? 'latin1'
      : 'utf8',
  );
  const answer = {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
    cookies: response.headers.getSetCookie(),
  };
  // Separate stacks have other settings, but the same API.
  if (inject('stack')) {
    const mismatches = (await sharedReference()).findMismatches(method, path, answer);
    if (mismatches.length > 0)
      throw new Error(`${method} ${path} is not as documented: ${mismatches.join('; ')}`);
  }
  return answer;
}

function isSentUnchanged(body: CallOptions['body']): body is string | Uint8Array<ArrayBuffer> | undefined {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array;
}

/** Returns the status and the error code of a response, for example [409, 'sold-out']. The code of a success is null. */
export const errorOf = ({ status, headers }: Answer) => [status, headers.get('x-error-code')];

export const sortedStatuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

const { ORIGIN_SECRET } = resolveConfiguration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, process.env);

/**
 * Returns the headers that CloudFront adds to a viewer's request. The default address is new, so that limits per
 * address count only this request.
 */
export function viewerHeaders(address = createAddress()): Record<string, string> {
  return { 'x-viewer-address': address, 'x-origin-secret': ORIGIN_SECRET ?? '' };
}

function createAddress(): string {
  const [third, fourth] = [randomBytes(2), randomBytes(2)].map((group) => group.toString('hex'));
  return `2001:db8:${third}:${fourth}::1`;
}

// biome-ignore lint/suspicious/noExplicitAny: documents are not typed
type Json = any;

/** Checks values against the schemas of an OpenAPI document. Unknown fields are errors. */
export class SchemaChecker {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #components: Json;
  readonly #compiled = new Map<Json, ValidateFunction>();

  constructor(document: Json) {
    formats.default(this.#ajv);
    this.#components = { schemas: closeObjects(document.components.schemas) };
  }

  /** Returns the errors of a value; empty when it is valid. */
  findErrors(schema: Json, value: unknown): string[] {
    const check = this.#compiled.get(schema) ?? this.#compile(schema);
    check(value);
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  #compile(schema: Json): ValidateFunction {
    const check = this.#ajv.compile({ ...closeObjects(schema), components: this.#components });
    this.#compiled.set(schema, check);
    return check;
  }
}

/** Returns the schema with `additionalProperties: false` on every object. */
function closeObjects(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closeObjects);
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closeObjects(part)]));
  const isOpen = schema.type === 'object' && schema.properties && schema.additionalProperties === undefined;
  return isOpen ? { ...parts, additionalProperties: false } : parts;
}

interface Operation {
  method: string;
  path: RegExp;
  responses: Json;
  operationId: string;
}

/** Compares responses with the API reference that a stack serves. */
export class Reference {
  readonly #operations: Operation[];
  readonly #checker: SchemaChecker;
  readonly #onSuccess: (operationId: string) => void;

  /** @param onSuccess called with the operation id for each documented success */
  constructor(document: Json, onSuccess: (operationId: string) => void = () => {}) {
    this.#onSuccess = onSuccess;
    this.#checker = new SchemaChecker(document);
    // Literal paths are matched before paths with parameters.
    const paths = Object.entries<Json>(document.paths).sort(
      ([a], [b]) => a.split('{').length - b.split('{').length,
    );
    this.#operations = paths.flatMap(([template, methods]) =>
      Object.entries<Json>(methods).map(([method, { responses, operationId }]) => ({
        method: method.toUpperCase(),
        path: new RegExp(`^${template.replace(/{\w+}/g, '[^/]+')}$`),
        responses,
        operationId,
      })),
    );
  }

  /** The ids of all operations. */
  get operations(): string[] {
    return this.#operations.map(({ operationId }) => operationId);
  }

  /** Returns the differences between a response and the reference. */
  findMismatches(method: string, target: string, answer: Answer): string[] {
    const path = target.split('?')[0] ?? '';
    const operation = this.#operations.find(
      (candidate) => candidate.method === method && candidate.path.test(path),
    );
    if (!operation || isFromApiGateway(answer)) return [];
    const response = operation.responses[answer.status];
    if (!response) return [`status ${answer.status} (${codeOf(answer)})`];
    const mismatches = [
      ...this.#findCodeMismatches(response, answer),
      ...this.#findBodyMismatches(response, answer),
    ];
    if (answer.status < 400 && mismatches.length === 0) this.#onSuccess(operation.operationId);
    return mismatches;
  }

  #findCodeMismatches(response: Json, answer: Answer): string[] {
    const documentedCodes = response.headers?.['x-error-code']?.schema.enum ?? [null];
    return documentedCodes.includes(codeOf(answer)) ? [] : [`code ${codeOf(answer)}`];
  }

  #findBodyMismatches({ content }: Json, { headers, body }: Answer): string[] {
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const schema = content[type]?.schema;
    return schema ? this.#checker.findErrors(schema, body) : [`content type ${type}`];
  }
}

const codeOf = ({ headers }: Answer) => headers.get('x-error-code');

/** Returns whether API Gateway responded without invoking a function. */
function isFromApiGateway({ status, body }: Answer): boolean {
  return [404, 413, 429, 500, 503].includes(status) && Object.keys(body ?? {}).join() === 'message';
}
