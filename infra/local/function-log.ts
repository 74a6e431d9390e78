import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * What the functions print, as CloudWatch would collect it: one JSON line per entry, in one file. Whoever has
 * something to say appends it by itself, functions in their own threads, so that nothing is lost when one ends.
 * Errors are also shown on the terminal, in one line, so that it stays readable.
 */
export class FunctionLog {
  readonly file: string;
  readonly #descriptor: number;
  readonly #terminal: (text: string) => unknown;
  #isClosed = false;

  constructor(file: string, terminal: (text: string) => unknown = (text) => process.stderr.write(text)) {
    this.file = file;
    this.#descriptor = openSync(file, 'a');
    this.#terminal = terminal;
  }

  /** A line of the function, or of the runtime about it. */
  write(name: string, line: string): void {
    // What is said of a function that the end of the stack interrupts may come after the end of the log.
    if (this.#isClosed) return;
    const entry = { function: name, ...parse(line) };
    writeSync(this.#descriptor, `${JSON.stringify(entry)}\n`);
    if (entry.level === 'ERROR')
      this.#terminal(`[${name}] ${entry.message}${entry.cause ? `: ${entry.cause}` : ''}\n`);
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
