import { appendFileSync } from 'node:fs';
import { inject } from 'vitest';
import { type Answer, Reference } from './reference.ts';
import { sharedStack } from './stack.ts';

export type { Answer };

export interface CallOptions {
  /** An access token. */
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
export function sharedReference(): Promise<Reference> {
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
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie }),
      ...headers,
    },
    body: isSentUnchanged(body) ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const answer = {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
    cookies: response.headers.getSetCookie(),
  };
  if (apiUrl === sharedStack().apiUrl) {
    const mismatches = (await sharedReference()).findMismatches(method, path, answer);
    if (mismatches.length > 0)
      throw new Error(`${method} ${path} is not as documented: ${mismatches.join('; ')}`);
  }
  return answer;
}

function isSentUnchanged(body: CallOptions['body']): body is string | Uint8Array<ArrayBuffer> | undefined {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array;
}
