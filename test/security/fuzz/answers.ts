import { Agent, request } from 'node:http';
import type { World } from './world.ts';

/** A request exactly as it is sent, which no client normalizes. */
export interface WireRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: [string, string][];
  body: Buffer;
}

/** An answer as it was received. */
export interface WireAnswer {
  /** 0 when the connection was closed without an answer. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  milliseconds: number;
}

const agent = new Agent({ keepAlive: true });

export async function send(apiUrl: string, wireRequest: WireRequest): Promise<WireAnswer> {
  const startedAt = performance.now();
  const answer = await exchange(apiUrl, wireRequest)
    .catch((error: NodeJS.ErrnoException) => {
      // The server may have closed a kept-alive connection just before it was reused.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return exchange(apiUrl, wireRequest, false);
      throw error;
    })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return { status: 0, headers: {}, text: '' };
      throw error;
    });
  return { ...answer, milliseconds: performance.now() - startedAt };
}

function exchange(apiUrl: string, { method, target, headers, body }: WireRequest, keepAlive = true) {
  const { hostname, port } = new URL(apiUrl);
  const allHeaders = [['host', `${hostname}:${port}`], ...headers, ['content-length', `${body.length}`]];
  return new Promise<Omit<WireAnswer, 'milliseconds'>>((resolve, reject) => {
    const options = {
      hostname,
      port,
      method,
      path: target,
      headers: allHeaders.flat(),
      ...(keepAlive && { agent }),
    };
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** Node's limit for headers, in bytes. Behind API Gateway the limit is 10,240 bytes for request line and headers. */
const headerLimit = 16 * 1024;

/** Internals that no error may show: file paths, table names, library messages. */
const internals =
  /\n\s+at |\.(cjs|ts|js):\d+|ConditionalCheck|ValidationException|DynamoDB|boxoffice-local|TypeError|RangeError|SyntaxError|ZodError|node_modules/;

/** Returns the fault of an answer, undefined when there is none. */
export function findFault(request: WireRequest, answer: WireAnswer, { canaries }: World): string | undefined {
  const { status, text, headers } = answer;
  // An answer may repeat what the request says.
  const sent = JSON.stringify([request.target, request.headers, `${request.body ?? ''}`]);
  const shown = text + JSON.stringify(headers);
  const leaked = canaries.find((canary) => shown.includes(canary) && !sent.includes(canary));
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

interface Counts {
  cases: number;
  statuses: Map<number, number>;
  longestMilliseconds: number;
  slow: number;
}

/** Counts the requests to each endpoint and the statuses of their answers. */
export class Tally {
  readonly #counts = new Map<string, Counts>();

  /** @param isSlow whether the request takes more than a second each time it is sent */
  add(name: string, { status, milliseconds }: WireAnswer, isSlow: boolean): void {
    const counts = this.#counts.get(name) ?? {
      cases: 0,
      statuses: new Map(),
      longestMilliseconds: 0,
      slow: 0,
    };
    this.#counts.set(name, counts);
    counts.cases++;
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
    counts.longestMilliseconds = Math.max(counts.longestMilliseconds, milliseconds);
    if (isSlow) counts.slow++;
  }

  get cases(): number {
    return this.#sum(({ cases }) => cases);
  }

  get slow(): number {
    return this.#sum(({ slow }) => slow);
  }

  /** A line for each endpoint: cases, the longest time (with cold starts and waiting), and answers by status. */
  toString(): string {
    const lines = [...this.#counts].map(([name, { cases, statuses, longestMilliseconds, slow }]) => {
      const statusCounts = [...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`);
      const times = `${longestMilliseconds.toFixed(0).padStart(6)} ms${slow > 0 ? `, ${slow} slow` : ''}`;
      return `${name.padEnd(46)} ${String(cases).padStart(5)} ${times}  ${statusCounts.join(', ')}`;
    });
    return `${lines.join('\n')}\n${this.cases} cases, ${this.slow} of them take more than a second each time`;
  }

  #sum(countOf: (counts: Counts) => number): number {
    return [...this.#counts.values()].reduce((sum, counts) => sum + countOf(counts), 0);
  }
}
