/** A token bucket, refilled at a constant rate. Its default size is the refill of one second. */
export class Bucket {
  #level: number;
  #refilledAt = 0;
  readonly #perSecond: number;
  readonly #size: number;

  constructor(perSecond: number, size = perSecond) {
    this.#perSecond = perSecond;
    this.#size = size;
    this.#level = size;
  }

  /** Takes units if the bucket has them all. @param now in milliseconds @returns whether it had them */
  take(units: number, now: number): boolean {
    this.#level = Math.min(this.#size, this.#level + ((now - this.#refilledAt) * this.#perSecond) / 1_000);
    this.#refilledAt = now;
    if (this.#level < units) return false;
    this.#level -= units;
    return true;
  }
}
