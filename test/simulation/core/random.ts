import { createHash } from 'node:crypto';

/**
 * A stream of random numbers that its name decides. Each cause in a history has a stream of its own, so that a history
 * without one of its operations draws the same numbers for all others: that makes histories shrink.
 */
export class Random {
  readonly name: string;
  #state: [number, number, number, number];

  constructor(name: string) {
    this.name = name;
    const digest = createHash('md5').update(name).digest();
    this.#state = [0, 4, 8, 12].map((offset) => digest.readUInt32LE(offset)) as [
      number,
      number,
      number,
      number,
    ];
  }

  /** sfc32: 32 random bits. */
  bits(): number {
    const state = this.#state;
    const [a, b, c, counter] = state;
    const sum = (a + b + counter) | 0;
    state[3] = (counter + 1) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 up to 1. */
  fraction(): number {
    return this.bits() / 2 ** 32;
  }

  /** A whole number from 0 up to `count`, which is excluded. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  /** Picks a value by its weight. */
  weighted<Value>(entries: readonly (readonly [weight: number, value: Value])[]): Value {
    let rest = this.fraction() * entries.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of entries) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return (entries.at(-1) as readonly [number, Value])[1];
  }

  fill(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length; index++) bytes[index] = this.bits() & 255;
  }

  /** A stream for a cause below this one. */
  child(name: string | number): Random {
    return new Random(`${this.name}/${name}`);
  }
}
