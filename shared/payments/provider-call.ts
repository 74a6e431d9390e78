import { DomainError } from '../errors.ts';
import { log } from '../log.ts';

interface Call {
  method: 'GET' | 'POST';
  url: string;
  /** The secret that authenticates us; never logged. */
  bearer: string;
  body?: object;
  /** Default 8,000. */
  limitMilliseconds?: number;
}

export interface ProviderAnswer {
  status: number;
  /** Whether the status is one of success. */
  ok: boolean;
  /** The JSON body. */
  // biome-ignore lint/suspicious/noExplicitAny: each adapter picks what it knows of its provider
  body: any;
}

/** How long a provider may take, in milliseconds, unless a call says otherwise. */
export const providerLimitMilliseconds = 8_000;

/**
 * One call to a payment provider's JSON API.
 * @returns the answer, whatever its status below 500, except for refusals of our credentials and of our haste
 * @throws DomainError `provider-failed` for 401, 403, 429 and from 500 up, no connection, no answer in time, or
 * one that is no JSON object: whoever sends that is not the provider
 */
export async function callProvider(call: Call): Promise<ProviderAnswer> {
  const { status, ok, body } = await exchange(call).catch((error: unknown) => {
    throw providerFailed(error instanceof Error ? error.name : 'unknown');
  });
  if (status >= 500 || [401, 403, 429].includes(status)) throw providerFailed(`answered ${status}`);
  return { status, ok, body };
}

/** As fetch, but a connection that could not be made is tried again, once: then nothing can have been done yet. */
export function fetchFromProvider(url: string, init?: RequestInit): Promise<Response> {
  return fetch(url, init).catch((error: unknown) => {
    if (isConnectionError(error)) return fetch(url, init);
    throw error;
  });
}

/** @param reason for the log alone: callers are told no more than that the provider can't be used */
export function providerFailed(reason: string): DomainError {
  log.warn('Payment provider failed', { reason });
  return new DomainError('provider-failed', 'provider-failed', 'The payment provider is not available');
}

async function exchange({ method, url, bearer, body, limitMilliseconds }: Call): Promise<ProviderAnswer> {
  const late = new AbortController();
  // Unlike AbortSignal.timeout it can be called off: that one goes off in any case, seconds after the answer.
  const timer = setTimeout(
    () => late.abort(new DOMException('No answer in time', 'TimeoutError')),
    limitMilliseconds ?? providerLimitMilliseconds,
  );
  try {
    const response = await fetchFromProvider(url, {
      method,
      signal: late.signal,
      headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const { status, ok } = response;
    const answer: unknown = JSON.parse(await response.text());
    if (typeof answer !== 'object' || answer === null) throw new TypeError('The answer is no JSON object');
    return { status, ok, body: answer };
  } finally {
    clearTimeout(timer);
  }
}

function isConnectionError(error: unknown): boolean {
  const code = (error as { cause?: { code?: string } }).cause?.code ?? '';
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(code);
}
