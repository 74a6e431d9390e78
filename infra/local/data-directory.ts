import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartError } from './start-error.ts';

/** The files of the stack. A start with `--fresh` removes these files and no others. */
const files = {
  table: 'table.sqlite',
  chain: 'chain.json.gz',
  contract: 'contract.json',
  payments: 'payments.jsonl',
  transfers: 'transfers.jsonl',
  deliveries: 'deliveries.jsonl',
  idempotency: 'idempotency.jsonl',
  demoLogins: 'demo-logins.json',
  ports: 'ports.json',
  stack: 'stack.json',
  functions: 'functions',
  storefront: 'storefront',
  functionLog: 'functions.log',
  partsLog: 'parts.log',
} as const;

export type DataFile = keyof typeof files;
type Unlock = () => Promise<void>;

/** The folder of a stack's data. One stack at a time can use it. */
export class DataDirectory {
  readonly #path: string;
  readonly #unlock: Unlock;

  private constructor(directory: string, unlock: Unlock) {
    this.#path = directory;
    this.#unlock = unlock;
  }

  /**
   * Locks the folder, and creates it if it doesn't exist.
   * @throws StartError while another stack uses it, or when it can't be written
   */
  static async open(directory: string, { fresh }: { fresh: boolean }): Promise<DataDirectory> {
    try {
      makeDirectory(directory);
      // Only a write shows that the file system is not read-only and the disk is not full.
      rmdirSync(mkdtempSync(path.join(directory, '.writable-')));
    } catch (error) {
      throw new StartError(`The data directory ${directory} can't be written: ${(error as Error).message}.`);
    }
    const unlock = await lock(directory);
    if (fresh) {
      for (const name of Object.values(files)) removeFiles(path.join(directory, name));
    }
    return new DataDirectory(directory, unlock);
  }

  file(name: DataFile): string {
    return path.join(this.#path, files[name]);
  }

  close(): Promise<void> {
    return this.#unlock();
  }
}

/**
 * Creates a folder and its parents. With its `recursive` option, mkdirSync never returns in /proc, which refuses
 * folders with ENOENT.
 */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(path.dirname(directory));
  mkdirSync(directory);
}

/** Removes a file with SQLite's journals and the unfinished file of an atomic write. */
function removeFiles(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal', '.next']) {
    rmSync(file + suffix, { recursive: true, force: true });
  }
}

/**
 * Locks the folder by listening on a socket named after it. The operating system closes the socket when the process
 * ends for any reason; a file with the process id could be outdated. The socket is in the temporary folder, since the
 * path of a socket is limited to about 100 bytes.
 */
async function lock(directory: string): Promise<Unlock> {
  const name = createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 24);
  const socket = path.join(tmpdir(), `boxoffice-${name}.lock`);
  let unlock: Unlock | undefined;
  try {
    unlock = await listen(socket).catch(() => replaceSocket(socket));
  } catch (error) {
    throw new StartError(`The data directory ${directory} can't be locked: ${(error as Error).message}.`);
  }
  if (!unlock) {
    throw new StartError(
      `Another stack is using ${directory}. Stop it, or choose another folder with BOXOFFICE_DATA_DIR.`,
    );
  }
  return unlock;
}

/**
 * Replaces the socket that a killed stack left behind. A second socket ensures that only one start at a time does so:
 * otherwise one start could remove the socket with which another one has just locked the folder.
 * @returns undefined while a stack listens on the socket
 */
async function replaceSocket(socket: string): Promise<Unlock | undefined> {
  const closeSecondSocket = await listen(`${socket}.next`);
  try {
    if (await isInUse(socket)) return undefined;
    rmSync(socket, { force: true });
    return await listen(socket);
  } finally {
    await closeSecondSocket();
  }
}

/** Listens on a socket. @returns a function that closes and removes it */
function listen(socket: string): Promise<Unlock> {
  const server = createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => resolve(() => new Promise((closed) => server.close(() => closed()))));
  });
}

function isInUse(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    connection.once('connect', () => resolve(true));
    connection.once('error', () => resolve(false));
    connection.once('connect', () => connection.destroy());
  });
}
