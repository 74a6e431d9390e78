import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { DataDirectory } from '../../infra/local/data-directory.ts';
import { configuration } from '../../infra/local/defaults.ts';
import { startSandbox } from '../../infra/local/sandbox/sandbox.ts';

/** A webhook as it came in. */
export interface Delivered {
  gateway: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Provider {
  /** Every webhook so far, the oldest first; they go nowhere else. */
  webhooks: Delivered[];
  /** Does something at the sandbox's controls. */
  control<Answer = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>;
  stop(): void;
}

/**
 * The sandbox's payment providers by themselves, for tests that drive use cases directly and decide themselves
 * which webhook is taken when. Configures this process for them.
 * @param directory where they keep their data
 */
export async function startProvider(directory: string): Promise<Provider> {
  const webhooks: Delivered[] = [];
  const sink = createServer(async (request, response) => {
    const body = Buffer.from(await text(request));
    webhooks.push({ gateway: request.url?.split('/').at(-1) ?? '', headers: request.headers, body });
    response.end('{}');
  });
  const server = createServer();
  const [apiUrl, url] = await Promise.all([listen(sink), listen(server)]);
  const settings = configuration({ apiUrl, sandboxUrl: url, chainRpcUrl: '' }, {});
  Object.assign(process.env, settings);
  const data = { file: (name: string) => `${directory}/${name}` } as unknown as DataDirectory;
  const stopSandbox = startSandbox({ server, url, apiUrl, configuration: settings, data });
  return {
    webhooks,
    control: async <Answer>(method: string, path: string, body?: object) => {
      const response = await fetch(`${url}/control/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Answer;
    },
    stop: () => {
      stopSandbox();
      for (const one of [sink, server]) {
        one.closeAllConnections();
        one.close();
      }
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
