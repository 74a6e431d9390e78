import { DomainError } from '../errors.ts';

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
  /** The JSON body; empty when there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: each adapter picks what it knows of its provider
  body: any;
}

/**
 * One call to a payment provider's JSON API. Only a connection that could not be made is tried again, once:
 * after that the provider may have acted already.
 * @returns the answer, whatever its status below 500
 * @throws DomainError `provider-failed` for a status from 500 up, no connection, or no answer in time
 */
export async function callProvider(call: Call): Promise<ProviderAnswer> {
  const signal = AbortSignal.timeout(call.limitMilliseconds ?? 8_000);
  const response = await send(call, signal).catch((error: unknown) => {
    if (isConnectionError(error)) return send(call, signal).catch(failed);
    return failed(error);
  });
  if (response.status >= 500) throw providerFailed();
  const body = await response.json().catch(() => ({}));
  return { status: response.status, body };
}

export function providerFailed(): DomainError {
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

function failed(_error: unknown): never {
  throw providerFailed();
}
