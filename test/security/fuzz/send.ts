import { Agent, request } from 'node:http';

/** A request exactly as it is sent, which no client normalizes. */
export interface WireRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: [string, string][];
  body: Buffer;
}

/** An answer as it was received. */
export interface WireAnswer {
  /** 0 when the connection was closed without an answer. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  milliseconds: number;
}

const agent = new Agent({ keepAlive: true });

export async function send(apiUrl: string, wireRequest: WireRequest): Promise<WireAnswer> {
  const startedAt = performance.now();
  const answer = await exchange(apiUrl, wireRequest)
    .catch((error: NodeJS.ErrnoException) => {
      // The server may have closed a kept-alive connection just before it was reused.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return exchange(apiUrl, wireRequest, false);
      throw error;
    })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return { status: 0, headers: {}, text: '' };
      throw error;
    });
  return { ...answer, milliseconds: performance.now() - startedAt };
}

function exchange(apiUrl: string, { method, target, headers, body }: WireRequest, keepAlive = true) {
  const { hostname, port } = new URL(apiUrl);
  const allHeaders = [['host', `${hostname}:${port}`], ...headers, ['content-length', `${body.length}`]];
  return new Promise<Omit<WireAnswer, 'milliseconds'>>((resolve, reject) => {
    const options = {
      hostname,
      port,
      method,
      path: target,
      headers: allHeaders.flat(),
      ...(keepAlive && { agent }),
    };
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
