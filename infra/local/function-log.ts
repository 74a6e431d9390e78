import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * What the functions print, as CloudWatch would collect it: one JSON line per entry, in one file. Errors are
 * also shown on the terminal, in one line, so that it stays readable.
 */
export class FunctionLog {
  readonly #stream: WriteStream;
  readonly #lines: string[] = [];

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
    // Lines that come close together are written together: under load there are hundreds a second.
    if (this.#lines.push(JSON.stringify(entry)) === 1) setTimeout(() => this.#flush(), 10);
    if (entry.level === 'ERROR')
      console.error(`[${name}] ${entry.message}${entry.cause ? `: ${entry.cause}` : ''}`);
  }

  stop(): Promise<void> {
    this.#flush();
    return new Promise((resolve) => this.#stream.end(() => resolve()));
  }

  #flush(): void {
    const lines = this.#lines.splice(0);
    if (lines.length > 0) this.#stream.write(`${lines.join('\n')}\n`);
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
