import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * What the functions print, as CloudWatch would collect it: one JSON line per entry, in one file. Errors are
 * also shown on the terminal, in one line, so that it stays readable.
 */
export class FunctionLog {
  readonly #stream: WriteStream;

  constructor(file: string) {
    this.#stream = createWriteStream(file, { flags: 'a' });
  }

  /** Takes every line a function prints. */
  collect(name: string, output: Readable): void {
    createInterface({ input: output }).on('line', (line) => this.write(name, line));
  }

  /** A line of the function, or of the runtime about it. */
  write(name: string, line: string): void {
    // A worker's last words may come after the end.
    if (this.#stream.writableEnded) return;
    const entry = { function: name, ...parse(line) };
    this.#stream.write(`${JSON.stringify(entry)}\n`);
    if (entry.level === 'ERROR')
      console.error(`[${name}] ${entry.message}${entry.cause ? `: ${entry.cause}` : ''}`);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(() => resolve()));
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
