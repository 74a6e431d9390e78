/** Units that come back evenly. What is not used is lost once the bucket is full: by default after a second. */
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

  /** @param now milliseconds @returns whether there were enough */
  take(units: number, now: number): boolean {
    this.#level = Math.min(this.#size, this.#level + ((now - this.#at) * this.#perSecond) / 1_000);
    this.#at = now;
    if (this.#level < units) return false;
    this.#level -= units;
    return true;
  }
}
