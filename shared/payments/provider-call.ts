import { DomainError } from '../core/errors.ts';
import { fetchWithRetry } from '../runtime/http-client.ts';
import { log } from '../runtime/log.ts';

interface Call {
  method: 'GET' | 'POST';
  url: string;
  /** The secret that authenticates this service; never logged. */
  bearer: string;
  body?: object;
  /** Default 8,000. */
  timeoutMilliseconds?: number;
}

export interface ProviderResponse {
  status: number;
  /** Whether the status is 2xx. */
  ok: boolean;
  /** The JSON body. */
  // biome-ignore lint/suspicious/noExplicitAny: each adapter checks the fields that it reads
  body: any;
}

/** The default timeout of a provider call. */
export const providerTimeoutMilliseconds = 8_000;

/**
 * Calls a payment provider's JSON API.
 * @returns the response, also for an error status, except those below
 * @throws DomainError `provider-failed` for the statuses 401, 403, 429 and from 500 up, a failed connection, a timeout,
 * or a body that is not a JSON object
 */
export async function callProvider(call: Call): Promise<ProviderResponse> {
  const { status, ok, body } = await sendCall(call).catch((error: unknown) => {
    throw providerFailed(error instanceof Error ? error.name : 'unknown');
  });
  if (status >= 500 || [401, 403, 429].includes(status)) throw providerFailed(`answered ${status}`);
  return { status, ok, body };
}

/** A request for a page of a provider's list. */
interface PageRequest<Item> {
  /** From 1. */
  number: number;
  /** The last item of the previous page. */
  previousItem: Item | undefined;
  timeoutMilliseconds: number;
}

/** Reads all pages of a provider's list, within the timeout of one call. @throws the errors of `readPage` */
export async function readAllPages<Item>(
  readPage: (request: PageRequest<Item>) => Promise<{ items: Item[]; hasMore: boolean }>,
): Promise<Item[]> {
  const deadline = Date.now() + providerTimeoutMilliseconds;
  const allItems: Item[] = [];
  for (let number = 1; ; number++) {
    const timeoutMilliseconds = Math.max(deadline - Date.now(), 1);
    const { items, hasMore } = await readPage({ number, previousItem: allItems.at(-1), timeoutMilliseconds });
    allItems.push(...items);
    if (!hasMore) return allItems;
  }
}

/**
 * Logs a failure of the provider, and returns the error for callers.
 * @param reason only logged, not part of the error
 */
export function providerFailed(reason: string): DomainError {
  log.warn('Payment provider failed', { reason });
  return new DomainError('provider-failed', 'provider-failed', 'The payment provider is not available');
}

/** The provider refused this request. It is available, so circuit breakers ignore this error. */
export class ProviderRefused extends DomainError {}

/** Like `providerFailed`, for a request that the provider refused. @param reason as in `providerFailed` */
export function providerRefused(reason: string): ProviderRefused {
  const { kind, code, message } = providerFailed(reason);
  return new ProviderRefused(kind, code, message);
}

async function sendCall({ method, url, bearer, body, timeoutMilliseconds }: Call): Promise<ProviderResponse> {
  const response = await fetchWithRetry(url, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMilliseconds ?? providerTimeoutMilliseconds),
  });
  const responseBody: unknown = await response.json();
  if (typeof responseBody !== 'object' || responseBody === null)
    throw new TypeError('The response is not a JSON object');
  return { status: response.status, ok: response.ok, body: responseBody };
}
