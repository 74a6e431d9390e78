import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Api } from '../../infra/ops/smoke-api.ts';

it('a call whose response ends early throws an error that names the call', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api = new Api(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(api.call('GET', '/api/events', 200)).rejects.toThrow('GET /api/events got no response');
  server.close();
});
