import { createServer } from 'node:http';
import { listen } from '../ports.ts';

export async function startSandbox({ port }: { port: number; [rest: string]: unknown }) {
  const server = createServer((_, response) => response.writeHead(404).end());
  await listen(server, port);
  return { stop: () => server.close() };
}
