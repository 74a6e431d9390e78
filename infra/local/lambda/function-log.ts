import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * The functions' output in one file, one JSON line per entry, as CloudWatch would collect it. Each function's thread
 * appends its own entries, so that none is lost when the thread ends. The terminal shows errors, one line each.
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

  /** Appends a line that the function, or the runtime on its behalf, has printed. */
  write(name: string, line: string): void {
    // A function that is interrupted when the stack stops may report its failure after the log was closed.
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
