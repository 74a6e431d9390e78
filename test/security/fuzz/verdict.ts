import type { WireAnswer, WireRequest } from './send.ts';
import type { World } from './world.ts';

/** Node's limit for headers, in bytes. Behind API Gateway the limit is 10,240 bytes for request line and headers. */
const headerLimit = 16 * 1024;

/** Internals that no error may show: file paths, table names, library messages. */
const internals =
  /\n\s+at |\.(cjs|ts|js):\d+|ConditionalCheck|ValidationException|DynamoDB|boxoffice-local|TypeError|RangeError|SyntaxError|ZodError|node_modules/;

/** Returns the fault of an answer, undefined when there is none. */
export function findFault(request: WireRequest, answer: WireAnswer, { canaries }: World): string | undefined {
  const { status, text, headers } = answer;
  const leaked = canaries.find((canary) => text.includes(canary) || JSON.stringify(headers).includes(canary));
  if (leaked) return `shows another user's data: ${leaked}`;
  if (status >= 500) return `answered ${status}`;
  const size =
    request.target.length +
    request.headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  if (status === 0 || status === 431) return size > headerLimit * 0.9 ? undefined : 'closed the connection';
  const isJsonType =
    `${headers['content-type']}`.startsWith('application/json') && !headers['content-encoding'];
  if (status < 400) return isJson(text) || !isJsonType ? undefined : `is not JSON: ${text.slice(0, 200)}`;
  if (internals.test(text)) return `shows internals: ${text}`;
  // The HTTP server refuses malformed requests before any function runs.
  if (status === 400 && text === '') return undefined;
  // The 404 page of the storefront.
  const isPage =
    `${headers['content-type']}`.startsWith('text/html') && request.target.startsWith('/events/');
  if (isPage && status === 404) return undefined;
  return isErrorBody(text) && headers['x-error-code'] && headers['x-request-id']
    ? undefined
    : `is not in the error format: ${status} ${text.slice(0, 200)}`;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function isErrorBody(text: string): boolean {
  if (!isJson(text)) return false;
  const body = JSON.parse(text) ?? {};
  return Object.keys(body).join() === 'error' && typeof body.error === 'string' && body.error !== '';
}
