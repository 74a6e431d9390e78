/** The functions that stop the parts of a stack. */
export class Stops {
  readonly #functions: (() => unknown)[] = [];
  #running: Promise<void> | undefined;

  add(stop: () => unknown): void {
    this.#functions.push(stop);
  }

  /**
   * Calls each function once, the newest first, even after one has failed. A second call waits for the first one.
   * @throws the first error of a function
   */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    const errors: unknown[] = [];
    for (let next = this.#functions.pop(); next; next = this.#functions.pop()) {
      try {
        await next();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
