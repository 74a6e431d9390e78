import { Agent, request } from 'node:http';

export interface Reply {
  status: number;
  text: string;
  /** From sending the request to the last byte of the response. */
  milliseconds: number;
}

/** A minimal client with persistent connections, since it shares the machine with the measured service. */
export class Client {
  readonly #base: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(base: string) {
    this.#base = base;
  }

  post(path: string, body: string, headers: Record<string, string> = {}): Promise<Reply> {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      request(
        this.#base + path,
        {
          method: 'POST',
          agent: this.#agent,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.once('end', () => {
            resolve({ status: response.statusCode ?? 0, text, milliseconds: performance.now() - startedAt });
          });
        },
      )
        .once('error', reject)
        .end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
