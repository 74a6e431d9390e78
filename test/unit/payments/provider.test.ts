import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { callProvider, ProviderRefused } from '../../../shared/payments/provider.ts';

/** Answers every request. @returns the address */
async function answerWith(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

// The circuit breaker counts failures, and one buyer could choose content that a provider's firewall refuses.
it.each([
  [403, '<html>Blocked</html>', true],
  [403, '{"status":false}', true],
  [400, '<html>Bad request</html>', true],
  [401, '{}', false],
  [429, '<html>Slow down</html>', false],
  [503, '<html>Maintenance</html>', false],
  [200, '<html>Hello</html>', false],
])(
  'the answer %i %s of a provider refuses a request, or is a failure of the provider',
  async (status, body, isRefusal) => {
    const call = callProvider({ method: 'GET', url: await answerWith(status, body), bearer: 'key' });
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'provider-failed' });
    expect(error instanceof ProviderRefused).toBe(isRefusal);
  },
);
