import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { writeFileAtomically } from './write-file-atomically.ts';

/**
 * The ports of the stack's parts, such as the API and the mailbox. The first start chooses free ports. Later starts use
 * the same ports unless other programs use them, so that earlier checkout links still work.
 */
export class Ports {
  readonly #file: string;
  readonly #onTaken: (part: string, port: number) => void;
  readonly #savedPorts: Record<string, number>;

  /** @param onTaken called when another program uses the port of an earlier start */
  constructor(file: string, onTaken: (part: string, port: number) => void = () => {}) {
    this.#file = file;
    this.#onTaken = onTaken;
    this.#savedPorts = readSavedPorts(file);
  }

  /** Starts a server of this process. @returns its port */
  async listen(part: string, server: Server): Promise<number> {
    const savedPort = this.#savedPorts[part] ?? 0;
    const port = await listen(server, savedPort).catch((error) => {
      if (error.code !== 'EADDRINUSE') throw error;
      this.#onTaken(part, savedPort);
      return listen(server, 0);
    });
    return this.#remember(part, port);
  }

  /** Returns a free port for a part that runs in another process. */
  async reserve(part: string): Promise<number> {
    const probe = createServer();
    const port = await this.listen(part, probe);
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }

  #remember(part: string, port: number): number {
    this.#savedPorts[part] = port;
    writeFileAtomically(this.#file, JSON.stringify(this.#savedPorts));
    return port;
  }
}

/** Listens on a port; 0 means any free port. @returns the port @throws Error of the server, such as EADDRINUSE */
export function listen(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as { port: number }).port);
    });
  });
}

function readSavedPorts(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
