/** A simulated clock, in whole milliseconds, with the events that wait for their time. */
export class Agenda {
  #now = 0;
  #pending = 0;
  readonly #jobs: (() => void)[][] = [];

  get now(): number {
    return this.#now;
  }

  /** Resolves after a simulated time of at least 1 ms. */
  wait(milliseconds: number): Promise<void> {
    const dueAt = this.#now + Math.max(1, Math.round(milliseconds));
    this.#jobs[dueAt] ??= [];
    this.#pending++;
    return new Promise((resolve) => this.#jobs[dueAt]?.push(resolve));
  }

  /** Advances the time until no event is left. */
  async run(): Promise<void> {
    await waitForPromises();
    for (; this.#pending > 0; this.#now++) {
      const due = this.#jobs[this.#now];
      if (!due) continue;
      delete this.#jobs[this.#now];
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
