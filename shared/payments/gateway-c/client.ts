import Stripe from 'stripe';
import { required } from '../../runtime/config.ts';
import { neverConnected } from '../../runtime/http-client.ts';
import { requiredSecret } from '../../runtime/secrets.ts';
import { providerFailed, providerLimitMilliseconds } from '../provider-call.ts';

/**
 * One call to gateway-c, which speaks Stripe's protocol, by its official package.
 * @throws DomainError `provider-failed` when the provider refuses, fails or does not answer in time
 */
export async function callGatewayC<Answer>(
  call: (stripe: Stripe) => Promise<Stripe.Response<Answer>>,
  limitMilliseconds = providerLimitMilliseconds,
): Promise<Answer> {
  const stripe = await client(limitMilliseconds);
  const answer = await call(stripe).catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeError) throw providerFailed(error.code ?? error.type);
    throw error;
  });
  // The package takes any JSON for an answer unless it has an `error`, as that of a proxy in between may not.
  const { statusCode } = answer.lastResponse;
  if (statusCode >= 400) throw providerFailed(`answered ${statusCode}`);
  return answer;
}

async function client(timeout: number): Promise<Stripe> {
  const base = required('GATEWAY_C_URL');
  return new Stripe(await requiredSecret('GATEWAY_C_SECRET_KEY'), {
    timeout,
    // The package would also repeat what timed out; connections are tried again below.
    maxNetworkRetries: 0,
    telemetry: false,
    // The package takes a host to call, but no path in front of its own.
    httpClient: Stripe.createFetchHttpClient((url, init) => {
      const { pathname, search } = new URL(String(url));
      return fetchFromProvider(base + pathname + search, init);
    }),
  });
}

/** As fetch, but a connection that could not be made is tried again, once: then nothing can have been done yet. */
function fetchFromProvider(url: string, init?: RequestInit): Promise<Response> {
  return fetch(url, init).catch((error: unknown) => {
    if (isConnectionError(error)) return fetch(url, init);
    throw error;
  });
}

function isConnectionError(error: unknown): boolean {
  const code = (error as { cause?: { code?: string } }).cause?.code ?? '';
  return neverConnected.has(code) || code === 'UND_ERR_CONNECT_TIMEOUT';
}
