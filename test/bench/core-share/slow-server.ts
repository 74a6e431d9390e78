import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { createServer } from 'node:https';
import path from 'node:path';
import { listen } from '../../../infra/local/services/process.ts';

/** A proxy to a server of the local stack that resembles a service on AWS: it uses TLS and responds after a delay. */
export interface SlowServer {
  /** Origin, without a path. */
  url: string;
  stop(): void;
}

/** A self-signed certificate for localhost. */
export interface Certificate {
  key: Buffer;
  cert: Buffer;
  /** The certificate's file, for NODE_EXTRA_CA_CERTS. */
  file: string;
}

/** Creates a certificate with openssl. */
export function createCertificate(directory: string): Certificate {
  const [keyFile, file] = [path.join(directory, 'key.pem'), path.join(directory, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile];
  const args = ['req', '-x509', '-days', '2', ...key, ...subject, '-out', file];
  execFileSync('openssl', args, { stdio: 'ignore' });
  return { key: readFileSync(keyFile), cert: readFileSync(file), file };
}

/** Adds up the time in which a function waits for at least one answer. */
export class WaitingTime {
  #pending = 0;
  #since = 0;
  #total = 0;

  begin(): void {
    if (this.#pending++ === 0) this.#since = performance.now();
  }

  end(): void {
    if (--this.#pending === 0) this.#total += performance.now() - this.#since;
  }

  /** Returns the milliseconds waited since the last call of this method. */
  takeTotal(): number {
    const total = this.#total;
    this.#total = 0;
    return total;
  }
}

/** @param delay milliseconds before each request is forwarded */
export async function startSlowServer(
  target: string,
  delay: number,
  waiting: WaitingTime,
  certificate: Certificate,
): Promise<SlowServer> {
  const server = createServer(certificate, async (request, response) => {
    waiting.begin();
    response.once('close', () => waiting.end());
    await new Promise((resolve) => setTimeout(resolve, delay));
    forward(request, response, target);
  });
  const port = await listen(server, 0);
  return {
    url: `https://localhost:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function forward(request: IncomingMessage, response: ServerResponse, target: string): void {
  const { url = '', method, headers } = request;
  const forwarded = send(new URL(url, target), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.once('error', () => response.destroy());
  request.pipe(forwarded);
}
