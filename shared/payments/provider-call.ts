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
  /** The JSON body; empty when there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: each adapter picks what it knows of its provider
  body: any;
}

/** How long a provider may take, in milliseconds, unless a call says otherwise. */
export const providerLimitMilliseconds = 8_000;

/**
 * One call to a payment provider's JSON API. Only a connection that could not be made is tried again, once:
 * after that the provider may have acted already.
 * @returns the answer, whatever its status below 500, except for refusals of our credentials and of our haste
 * @throws DomainError `provider-failed` for 401, 403, 429 and from 500 up, no connection, or no answer in time
 */
export async function callProvider(call: Call): Promise<ProviderAnswer> {
  const signal = AbortSignal.timeout(call.limitMilliseconds ?? providerLimitMilliseconds);
  const response = await send(call, signal).catch((error: unknown) => {
    if (isConnectionError(error)) return send(call, signal).catch(failed);
    return failed(error);
  });
  const { status, ok } = response;
  const body = await response.json().catch(() => ({}));
  if (status >= 500 || [401, 403, 429].includes(status)) throw providerFailed(`answered ${status}`);
  return { status, ok, body: body ?? {} };
}

/** @param reason for the log alone: callers are told no more than that the provider can't be used */
export function providerFailed(reason: string): DomainError {
  log.warn('Payment provider failed', { reason });
  return new DomainError('provider-failed', 'provider-failed', 'The payment provider is not available');
}

function send({ method, url, bearer, body }: Call, signal: AbortSignal): Promise<Response> {
  return fetch(url, {
    method,
    signal,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
}

function isConnectionError(error: unknown): boolean {
  const code = (error as { cause?: { code?: string } }).cause?.code ?? '';
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(code);
}

function failed(error: unknown): never {
  throw providerFailed(error instanceof Error ? error.name : 'unknown');
}
