import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Configuration, resolveConfiguration } from '../../infra/local/defaults.ts';
import { readBody } from '../../infra/local/http/payload.ts';
import { listen } from '../../infra/local/services/process.ts';
import { startSandbox } from '../../infra/sandbox/sandbox.ts';
import type { GatewayName } from '../../shared/core/schemas.ts';
import { type Answer, call } from './http.ts';

interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Sandbox {
  url: string;
  /** The settings of the sandbox and the gateways. */
  settings: Configuration;
  /** All received webhooks, oldest first. */
  webhooks: ReceivedWebhook[];
  /** Returns the newest webhook. @throws Error when there is none */
  newestWebhook(): ReceivedWebhook;
  /** Calls the control API (infra/sandbox/control.ts). */
  // biome-ignore lint/suspicious/noExplicitAny: responses are not typed
  control<Answer = any>(path: string, body?: object, method?: 'GET' | 'POST' | 'DELETE'): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * Starts the sandbox's payment providers without the stack, for tests of gateways and webhooks. A listener in place of
 * the API receives the webhooks. Sets the environment variables that gateways read.
 */
export async function startPaymentSandbox(): Promise<Sandbox> {
  const webhooks: ReceivedWebhook[] = [];
  const listener = createServer(async (request, response) => {
    const body = (await readBody(request, 1_000_000)) ?? Buffer.alloc(0);
    webhooks.push({ path: request.url ?? '', headers: request.headers, body });
    response.end('{"ok":true}');
  });
  const server = createServer();
  const [apiUrl, url] = await Promise.all(
    [listener, server].map(async (httpServer) => `http://127.0.0.1:${await listen(httpServer, 0)}`),
  );
  const settings = resolveConfiguration({ apiUrl: `${apiUrl}`, sandboxUrl: `${url}`, chainRpcUrl: '' }, {});
  const stopSandbox = startSandbox({
    server,
    url: `${url}`,
    apiUrl: `${apiUrl}`,
    configuration: settings,
  });
  Object.assign(process.env, settings);

  return {
    url: `${url}`,
    settings,
    webhooks,
    newestWebhook: () => {
      const newest = webhooks.at(-1);
      if (!newest) throw new Error('No webhook was received');
      return newest;
    },
    control: async (path, body = {}, method = 'POST') => {
      const sentBody = method === 'GET' ? undefined : JSON.stringify(body);
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/control/${path}`, { method, headers, body: sentBody });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as never;
    },
    stop: async () => {
      stopSandbox();
      for (const httpServer of [listener, server]) {
        httpServer.closeAllConnections();
        await new Promise((resolve) => httpServer.close(resolve));
      }
    },
  };
}

/** Creates webhooks in a provider's format, for cases that the sandbox does not send: forgeries, unusual amounts. */
export interface Provider {
  /** A paid charge. The amount, in major units, and the currency can be absent. */
  paid(reference: string, amount?: number, currency?: string): object;
  failed(reference: string): object;
  /** A valid event that the service ignores. */
  ignored(reference: string): object;
  /** Returns the headers with the body's signature. */
  sign(body: string): Record<string, string>;
}

const addresses = { apiUrl: '', sandboxUrl: '', chainRpcUrl: '' };
const settings = resolveConfiguration(addresses, process.env);
const toSubunits = (amount: number | undefined) => amount && Math.round(amount * 100);
const hmac = (algorithm: string, key: string | undefined, text: string) =>
  createHmac(algorithm, key ?? '')
    .update(text)
    .digest('hex');

export const providers: Record<GatewayName, Provider> = {
  'gateway-a': {
    paid: (reference, amount, currency) => ({
      event: 'charge.success',
      data: { id: 4099260516, status: 'success', reference, amount: toSubunits(amount), currency },
    }),
    failed: (reference) => ({ event: 'charge.failed', data: { id: 4099260517, reference } }),
    ignored: (reference) => ({ event: 'invoice.create', data: { id: 1, reference } }),
    sign: (body) => ({ 'x-gateway-a-signature': hmac('sha512', settings.GATEWAY_A_SECRET, body) }),
  },
  'gateway-b': {
    paid: (tx_ref, amount, currency) => ({
      event: 'charge.completed',
      data: { id: 285959875, tx_ref, amount, currency, status: 'successful' },
    }),
    failed: (tx_ref) => ({ event: 'charge.completed', data: { id: 285959876, tx_ref, status: 'failed' } }),
    ignored: (tx_ref) => ({ event: 'charge.completed', data: { id: 1, tx_ref, status: 'pending' } }),
    sign: () => ({ 'verif-hash': settings.GATEWAY_B_SECRET_HASH ?? '' }),
  },
  'gateway-c': {
    paid: (reference, amount, currency) =>
      createSessionEvent('checkout.session.completed', reference, 'paid', amount, currency),
    failed: (reference) => createSessionEvent('checkout.session.expired', reference, 'unpaid'),
    ignored: (reference) => createSessionEvent('checkout.session.completed', reference, 'unpaid'),
    sign: (body) => {
      const time = Math.floor(Date.now() / 1000);
      const signature = hmac('sha256', settings.GATEWAY_C_WEBHOOK_SECRET, `${time}.${body}`);
      return { 'stripe-signature': `t=${time},v1=${signature}` };
    },
  },
};

function createSessionEvent(
  type: string,
  reference: string,
  payment_status: string,
  amount?: number,
  currency?: string,
) {
  const total = { amount_total: toSubunits(amount), currency: currency?.toLowerCase() };
  const object = {
    id: 'cs_1',
    client_reference_id: reference,
    payment_intent: 'pi_1',
    payment_status,
    ...total,
  };
  return { id: 'evt_1', object: 'event', type, data: { object } };
}

/** Delivers a webhook with the provider's signature. */
export function deliverWebhook(gateway: GatewayName, event: object, apiUrl?: string): Promise<Answer> {
  const body = JSON.stringify(event);
  const headers = providers[gateway].sign(body);
  return call('POST', `/api/webhooks/${gateway}`, { body, headers, ...(apiUrl && { apiUrl }) });
}
