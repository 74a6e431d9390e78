/** The functions that stop the parts of a stack. */
export class Stops {
  readonly #functions: (() => unknown)[] = [];
  #running: Promise<void> | undefined;

  add(stop: () => unknown): void {
    this.#functions.push(stop);
  }

  /** Calls each function once, the newest first. A second call waits for the first one. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    for (let next = this.#functions.pop(); next; next = this.#functions.pop()) await next();
  }
}
