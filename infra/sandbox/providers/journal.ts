import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { writeFileAtomically } from '../../local/write-file-atomically.ts';

/**
 * A map in a file, which survives a kill -9. Every change appends a line, and the last line of a key has its value. The
 * constructor ignores an incomplete line, and removes outdated lines.
 */
export class Journal<Value> {
  readonly #descriptor: number;
  readonly #values = new Map<string, Value>();

  /** @param isRetained whether to retain a value of the last run; default: all */
  constructor(file: string, isRetained: (value: Value) => boolean = () => true) {
    for (const [key, value] of readLines<Value>(file)) this.#values.set(key, value);
    for (const [key, value] of this.#values) if (!isRetained(value)) this.#values.delete(key);
    writeFileAtomically(file, [...this.#values].map(toLine).join(''));
    this.#descriptor = openSync(file, 'a');
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value);
    writeSync(this.#descriptor, toLine([key, value]));
  }

  /** Returns the values in the order in which their keys were first set. */
  values(): Value[] {
    return [...this.#values.values()];
  }
}

function toLine<Value>(entry: [string, Value]): string {
  return `${JSON.stringify(entry)}\n`;
}

function readLines<Value>(file: string): [string, Value][] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text) => {
      try {
        return [JSON.parse(text)];
      } catch {
        return [];
      }
    });
}
