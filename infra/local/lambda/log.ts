import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * The log of all functions: a file with a JSON line per entry. Each function's thread appends its own entries, so that
 * no entry is lost when the thread ends. Errors are also printed to the terminal, one line each.
 */
export class FunctionLog {
  readonly file: string;
  readonly #descriptor: number;
  readonly #print: (text: string) => unknown;
  #isClosed = false;

  constructor(file: string, print: (text: string) => unknown = (text) => process.stderr.write(text)) {
    this.file = file;
    this.#descriptor = openSync(file, 'a');
    this.#print = print;
  }

  /** Appends a line that the function or its runtime has printed. */
  write(name: string, line: string): void {
    // A function that is still running when the stack stops may log after the log is closed.
    if (this.#isClosed) return;
    const entry = { function: name, ...parse(line) };
    writeSync(this.#descriptor, `${JSON.stringify(entry)}\n`);
    if (entry.level === 'ERROR')
      this.#print(`[${name}] ${entry.message}${entry.cause ? `: ${entry.cause}` : ''}\n`);
  }

  close(): void {
    this.#isClosed = true;
    closeSync(this.#descriptor);
  }
}

interface Entry {
  level?: string;
  message?: unknown;
  cause?: unknown;
}

function parse(line: string): Entry {
  try {
    const value = JSON.parse(line);
    if (value && typeof value === 'object') return value;
  } catch {}
  return { level: 'INFO', message: line };
}

/** The log message for a command that a function sends without having primed it. */
export const unprimedMessage = 'Command not primed';
