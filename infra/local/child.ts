import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { resolve: resolvePackage } = createRequire(import.meta.url);
/** How long a program that was asked to end may take. */
const patienceMilliseconds = 8_000;

/**
 * Ends the program when the pipe to us closes, which happens however we end, kill -9 included. The shell, not the
 * program, holds the pipe; `wait` makes the shell end when the program ends by itself.
 */
const guard = `
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
(cat <&3 >/dev/null; kill -$0 $program 2>/dev/null) &
exec 3<&-
wait $program`;

export interface Child {
  /** Resolves once the process has ended, whether asked to or not. */
  ended: Promise<void>;
  stop(): Promise<void>;
  /** Ends it without a chance to tidy up. */
  kill(): Promise<void>;
}

export interface ChildOptions {
  /** The file that takes its output. */
  log: string;
  /** What ends it. Default KILL: a part that can't take it would not survive a power cut either. */
  signal?: 'KILL' | 'TERM';
  env?: NodeJS.ProcessEnv;
}

/** Starts a program in a session of its own, so that Ctrl-C reaches only us and the parts end in order. */
export function startChild(command: string[], options: ChildOptions): Child {
  const output = openSync(options.log, 'a');
  const shell = spawn('/bin/sh', ['-c', guard, options.signal ?? 'KILL', ...command], {
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
    const impatience = setTimeout(kill, patienceMilliseconds);
    await ended;
    clearTimeout(impatience);
  };
  return { ended, stop, kill };
}

/** Where a program is: in an installed package, else on the PATH; undefined when in neither. */
export function findProgram(packaged: string, name: string): string | undefined {
  try {
    return resolvePackage(packaged);
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

/** Asks every 25 ms until `answers` no longer throws. @returns false after `seconds`, or once `ended` resolves. */
export async function untilReady(
  answers: () => Promise<unknown>,
  ended: Promise<void>,
  seconds = 15,
): Promise<boolean> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline && !over; ) {
    const ready = await answers().then(
      () => true,
      () => false,
    );
    if (ready) return true;
    await new Promise((next) => setTimeout(next, 25));
  }
  return false;
}
