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
