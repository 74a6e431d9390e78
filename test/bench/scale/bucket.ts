/** A token bucket, refilled evenly. By default it is full after a second. */
export class Bucket {
  #level: number;
  #at = 0;
  readonly #perSecond: number;
  readonly #size: number;

  constructor(perSecond: number, size = perSecond) {
    this.#perSecond = perSecond;
    this.#size = size;
    this.#level = size;
  }

  /** @param now milliseconds @returns whether the bucket had enough units */
  take(units: number, now: number): boolean {
    this.#level = Math.min(this.#size, this.#level + ((now - this.#at) * this.#perSecond) / 1_000);
    this.#at = now;
    if (this.#level < units) return false;
    this.#level -= units;
    return true;
  }
}
