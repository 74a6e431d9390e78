import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { writeWhole } from '../local/files.ts';

/**
 * A map that survives a kill -9: every change is a line at the end of a file, and the last line of a key counts.
 * A line that was only half written is as if it had never been. Reading it again leaves out what is outdated.
 */
export class Journal<Value> {
  readonly #descriptor: number;
  readonly #values = new Map<string, Value>();

  /** @param keep which values are worth remembering from the last run */
  constructor(file: string, keep: (value: Value) => boolean = () => true) {
    for (const [key, value] of readLines<Value>(file)) this.#values.set(key, value);
    for (const [key, value] of this.#values) if (!keep(value)) this.#values.delete(key);
    writeWhole(file, [...this.#values].map(line).join(''));
    this.#descriptor = openSync(file, 'a');
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value);
    writeSync(this.#descriptor, line([key, value]));
  }

  /** In the order in which they first came. */
  values(): Value[] {
    return [...this.#values.values()];
  }
}

function line<Value>(entry: [string, Value]): string {
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
