import { SchemaChecker } from './json-schema.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is not typed
type Json = any;

/** A response of the API. */
export interface Answer {
  status: number;
  /** The parsed JSON, or the text of another content type. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields that it needs
  body: any;
  headers: Headers;
  /** The `Set-Cookie` lines. */
  cookies: string[];
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
