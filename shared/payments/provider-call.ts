import { DomainError } from '../core/errors.ts';
import { request } from '../runtime/http-client.ts';
import { log } from '../runtime/log.ts';

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
  const { status, ok, body } = await ask(call).catch((error: unknown) => {
    throw providerFailed(error instanceof Error ? error.name : 'unknown');
  });
  if (status >= 500 || [401, 403, 429].includes(status)) throw providerFailed(`answered ${status}`);
  return { status, ok, body };
}

/** @param reason for the log alone: callers are told no more than that the provider can't be used */
export function providerFailed(reason: string): DomainError {
  log.warn('Payment provider failed', { reason });
  return new DomainError('provider-failed', 'provider-failed', 'The payment provider is not available');
}

async function ask({ method, url, bearer, body, limitMilliseconds }: Call): Promise<ProviderAnswer> {
  const response = await request(url, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(limitMilliseconds ?? providerLimitMilliseconds),
  });
  const answer: unknown = await response.json();
  if (typeof answer !== 'object' || answer === null) throw new TypeError('The answer is no JSON object');
  return { status: response.status, ok: response.ok, body: answer };
}
