import { setTimeout as wait } from 'node:timers/promises';

interface Answer {
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each step says what it expects
  body: any;
}

interface CallOptions {
  /** An access token. */
  token?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** The API of a running stage. Every call names the status that it expects. */
export class Api {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws Error, in one sentence, for another status and without an answer within 30 s */
  async call(
    method: string,
    path: string,
    expected: number | readonly number[],
    { token, body, headers }: CallOptions = {},
  ): Promise<Answer> {
    const request = fetch(new URL(path, this.#url), {
      method,
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const response = await request.catch((error: Error) => {
      throw new Error(`${method} ${path} got no answer: ${(error.cause as Error)?.message ?? error.message}`);
    });
    const text = await response.text();
    if (![expected].flat().includes(response.status)) {
      throw new Error(
        `${method} ${path} answered ${response.status} instead of ${[expected].flat().join(' or ')}: ${text.slice(0, 300)}`,
      );
    }
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
}

/** How long workers may take, in milliseconds. */
const workersTimeout = 60_000;

/**
 * Polls until there is a result.
 * @param what the missing result, for the error: `The order is not fulfilled`
 * @throws Error after a minute
 */
export async function eventually<Result>(
  what: string,
  look: () => Promise<Result | undefined>,
): Promise<Result> {
  for (const end = Date.now() + workersTimeout; Date.now() < end; await wait(500)) {
    const result = await look();
    if (result !== undefined) return result;
  }
  throw new Error(`${what} within ${workersTimeout / 1_000} s`);
}
