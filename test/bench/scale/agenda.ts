/** What happens when, in whole milliseconds of a time that passes only in thought. */
export class Agenda {
  #now = 0;
  #open = 0;
  readonly #jobs: (() => void)[][] = [];

  get now(): number {
    return this.#now;
  }

  /** Resolves after so many milliseconds; 1 at least. */
  wait(milliseconds: number): Promise<void> {
    const at = this.#now + Math.max(1, Math.round(milliseconds));
    this.#jobs[at] ??= [];
    this.#open++;
    return new Promise((resolve) => this.#jobs[at]?.push(resolve));
  }

  /** Lets time pass until nobody waits any more. */
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

/** Until everything that can go on without waiting has done so. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
