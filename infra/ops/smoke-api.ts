import { setTimeout as wait } from 'node:timers/promises';

interface ApiResponse {
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each step checks the fields that it uses
  body: any;
}

interface CallOptions {
  /** An access token. */
  token?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** A client of a running stage's API. */
export class Api {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Calls an endpoint.
   * @throws Error with a one-sentence message, for an unexpected status, or when no response arrives within 30 s
   */
  async call(
    method: string,
    path: string,
    expectedStatus: number | readonly number[],
    { token, body, headers }: CallOptions = {},
  ): Promise<ApiResponse> {
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
    const responseAndText = request.then(async (response) => [response, await response.text()] as const);
    const [response, text] = await responseAndText.catch((error: Error) => {
      throw new Error(
        `${method} ${path} got no response: ${(error.cause as Error)?.message ?? error.message}`,
      );
    });
    if (![expectedStatus].flat().includes(response.status)) {
      throw new Error(
        `${method} ${path} returned ${response.status} instead of ${[expectedStatus].flat().join(' or ')}: ${text.slice(0, 300)}`,
      );
    }
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
}

/** The time that workers may need. */
const timeoutMilliseconds = 60_000;

/**
 * Polls until there is a result.
 * @param failure the beginning of the error: `The order was not fulfilled`
 * @throws Error after a minute
 */
export async function eventually<Result>(
  failure: string,
  poll: () => Promise<Result | undefined>,
): Promise<Result> {
  for (const end = Date.now() + timeoutMilliseconds; Date.now() < end; await wait(500)) {
    const result = await poll();
    if (result !== undefined) return result;
  }
  throw new Error(`${failure} within ${timeoutMilliseconds / 1_000} s`);
}
