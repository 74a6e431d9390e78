/** A queue of events in simulated time, in whole milliseconds. */
export class Agenda {
  #now = 0;
  #open = 0;
  readonly #jobs: (() => void)[][] = [];

  get now(): number {
    return this.#now;
  }

  /** Resolves after a simulated time of at least 1 ms. */
  wait(milliseconds: number): Promise<void> {
    const at = this.#now + Math.max(1, Math.round(milliseconds));
    this.#jobs[at] ??= [];
    this.#open++;
    return new Promise((resolve) => this.#jobs[at]?.push(resolve));
  }

  /** Advances the time until no event is left. */
  async run(): Promise<void> {
    await settled();
    for (; this.#open > 0; this.#now++) {
      const due = this.#jobs[this.#now];
      if (!due) continue;
      delete this.#jobs[this.#now];
      this.#open -= due.length;
      for (const go of due) go();
      await settled();
    }
  }
}

/** Resolves when all pending promises that do not wait for simulated time have continued. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
