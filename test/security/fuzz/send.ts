import { Agent, request } from 'node:http';

/** A request exactly as it is sent: no client normalizes it. */
export interface WireRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: [string, string][];
  body: Buffer;
}

export interface WireAnswer {
  /** 0 when the connection was closed without an answer. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  milliseconds: number;
}

const agent = new Agent({ keepAlive: true });

export async function send(apiUrl: string, wanted: WireRequest): Promise<WireAnswer> {
  const begun = performance.now();
  const answer = await exchange(apiUrl, wanted)
    .catch((error: NodeJS.ErrnoException) => {
      // A connection kept alive may have been closed just when it was to be used again.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return exchange(apiUrl, wanted, false);
      throw error;
    })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return { status: 0, headers: {}, text: '' };
      throw error;
    });
  return { ...answer, milliseconds: performance.now() - begun };
}

function exchange(apiUrl: string, { method, target, headers, body }: WireRequest, keepAlive = true) {
  const { hostname, port } = new URL(apiUrl);
  const all = [['host', `${hostname}:${port}`], ...headers, ['content-length', `${body.length}`]];
  return new Promise<Omit<WireAnswer, 'milliseconds'>>((resolve, reject) => {
    const options = {
      hostname,
      port,
      method,
      path: target,
      headers: all.flat(),
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
