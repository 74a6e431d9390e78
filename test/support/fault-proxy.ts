import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: bodies of two protocols are not typed
type Json = any;

/** A worker's request to the table or to a node, with its operation (DynamoDB) or method (JSON-RPC). */
export interface Call {
  worker: string;
  /** 'table', or the name of a node. */
  target: string;
  method: string;
  body: Json;
}

export type Answer = { status: number; body: Json } | 'drop';

/**
 * Intercepts a call. It can return its own answer, forward the call, change the answer, drop the connection, or wait.
 */
export type Fault = (call: Call, forward: () => Promise<Answer>) => Promise<Answer>;

export interface FaultProxy {
  /** Returns the URL that a worker uses for a target. */
  url(worker: string, target: string): string;
  /** Adds a fault, which runs before those added earlier. @returns a function that removes it */
  intercept(fault: Fault): () => void;
  stop(): Promise<void>;
}

/** Starts a proxy that forwards requests unchanged unless a fault intercepts them. */
export async function startProxy(targets: Record<string, string>): Promise<FaultProxy> {
  const faults = new Set<Fault>();

  const server = createServer(async (request, response) => {
    try {
      const answer = await handle(request);
      if (answer === 'drop') return void request.socket.destroy();
      // A test may have changed a worker's clock. The worker's SDK would detect the skew by a Date header, and retry
      // requests that the table refused.
      response.sendDate = false;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    } catch {
      request.socket.destroy();
    }
  });

  async function handle(request: IncomingMessage): Promise<Answer> {
    const [, worker = '', target = ''] = (request.url ?? '').split('/');
    const body = JSON.parse(await read(request));
    const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1];
    const call = { worker, target, method: operation ?? body.method, body };
    const chain = [...faults].reduce<() => Promise<Answer>>(
      (next, fault) => () => fault(call, next),
      () => forward(request, targets[target] ?? '', call),
    );
    return chain();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (worker, target) => `http://127.0.0.1:${port}/${worker}/${target}`,
    intercept(fault) {
      faults.add(fault);
      return () => faults.delete(fault);
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function forward({ headers }: IncomingMessage, url: string, { body }: Call): Promise<Answer> {
  const names = ['content-type', 'x-amz-target', 'authorization', 'x-amz-date'];
  const forwardedHeaders = names.flatMap((name) =>
    headers[name] ? [[name, String(headers[name])] as const] : [],
  );
  const response = await fetch(url, {
    method: 'POST',
    headers: Object.fromEntries(forwardedHeaders),
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}
