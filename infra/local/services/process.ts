import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:net';
import path from 'node:path';

/** An error that prevents the start of the stack. Its message is printed without a stack trace. */
export class StartError extends Error {}

const { resolve: resolvePackage } = createRequire(import.meta.url);
/** How long a program may take to end before it is killed. */
const stopTimeoutMilliseconds = 8_000;

/**
 * A shell script that runs a program, and ends it when the pipe from this process closes, which also happens on kill
 * -9. `$0` is the signal that ends the program. `wait` ends the shell when the program ends by itself.
 */
const guardScript = `
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
(cat <&3 >/dev/null; kill -$0 $program 2>/dev/null) &
exec 3<&-
wait $program`;

export interface Child {
  /** Resolves once the process has ended, for any reason. */
  ended: Promise<void>;
  /** Asks the process to end, and kills it after 8 seconds. */
  stop(): Promise<void>;
  /** Kills the process. */
  kill(): Promise<void>;
}

export interface ChildOptions {
  /** The file to which the program's output is appended. */
  log: string;
  /** The signal that ends the program. Default KILL, since every program must survive a power cut. */
  signal?: 'KILL' | 'TERM';
  env?: NodeJS.ProcessEnv;
}

/**
 * Starts a program in its own session, so that Ctrl-C signals only this process, which then ends the programs in order.
 */
export function startChild(command: string[], options: ChildOptions): Child {
  const output = openSync(options.log, 'a');
  const shell = spawn('/bin/sh', ['-c', guardScript, options.signal ?? 'KILL', ...command], {
    detached: true,
    stdio: ['pipe', output, output],
    env: options.env ?? process.env,
  });
  closeSync(output);
  const ended = new Promise<void>((resolve) => {
    shell.once('error', () => resolve());
    shell.once('exit', () => resolve());
  }).then(() => void shell.stdin?.destroy());
  const kill = () => {
    if (shell.pid && shell.exitCode === null && !shell.signalCode) process.kill(-shell.pid, 'SIGKILL');
    return ended;
  };
  const stop = async () => {
    shell.stdin?.destroy();
    const timer = setTimeout(kill, stopTimeoutMilliseconds);
    await ended;
    clearTimeout(timer);
  };
  return { ended, stop, kill };
}

/** Finds a program as a file of an installed package, else on the PATH. @returns its path, or undefined */
export function findProgram(packageFile: string, name: string): string | undefined {
  try {
    return resolvePackage(packageFile);
  } catch {
    const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
    return folders.map((folder) => path.join(folder, name)).find(isExecutable);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Calls `check` every 25 ms until it succeeds. @returns false after `seconds`, or once `ended` resolves */
export async function untilReady(
  check: () => Promise<unknown>,
  ended: Promise<void>,
  seconds = 15,
): Promise<boolean> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline && !hasEnded; ) {
    const ready = await check().then(
      () => true,
      () => false,
    );
    if (ready) return true;
    await new Promise((next) => setTimeout(next, 25));
  }
  return false;
}

/** Listens on a port; 0 means any free port. @returns the port @throws Error of the server, such as EADDRINUSE */
export function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as { port: number }).port);
    });
  });
}

/** Listens on a port, or on any free port when another program uses it. @returns the port */
export function listenPreferring(server: Server, port: number): Promise<number> {
  return listen(server, port).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return listen(server);
  });
}

/** Returns a free port for a service that runs in another process: the preferred one, if it is free. */
export async function freePort(preferred = 0): Promise<number> {
  const probe = createServer();
  const port = await listenPreferring(probe, preferred);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Closes a server and its connections. */
export function closeServer(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
