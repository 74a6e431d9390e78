/** A simulated clock, in whole milliseconds, with the calls that wait for a time. */
export class SimulatedClock {
  #now = 0;
  #pending = 0;
  /** The functions that resume waiting calls, by time. */
  readonly #resumes: (() => void)[][] = [];

  get now(): number {
    return this.#now;
  }

  /** Resolves after a simulated time of at least 1 ms. */
  wait(milliseconds: number): Promise<void> {
    const dueAt = this.#now + Math.max(1, Math.round(milliseconds));
    this.#resumes[dueAt] ??= [];
    this.#pending++;
    return new Promise((resolve) => this.#resumes[dueAt]?.push(resolve));
  }

  /** Advances the time until no call waits. */
  async run(): Promise<void> {
    await waitForPromises();
    for (; this.#pending > 0; this.#now++) {
      const due = this.#resumes[this.#now];
      if (!due) continue;
      delete this.#resumes[this.#now];
      this.#pending -= due.length;
      for (const resume of due) resume();
      await waitForPromises();
    }
  }
}

/** Resolves when only promises that wait for simulated time are pending. */
function waitForPromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

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
