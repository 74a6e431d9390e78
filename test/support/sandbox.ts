import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Configuration, resolveConfiguration } from '../../infra/local/defaults.ts';
import { readBody } from '../../infra/local/http/api-gateway.ts';
import { listen } from '../../infra/local/services/process.ts';
import { startSandbox } from '../../infra/sandbox/sandbox.ts';

export interface ReceivedWebhook {
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
