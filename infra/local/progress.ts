/** The interval at which the last line of a terminal is redrawn. */
const drawMilliseconds = 100;
/** The interval at which a pipe or a file gets a line. */
const lineMilliseconds = 1000;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * Shows the services of the stack as they start, each with its duration. On a terminal, the last line names those that
 * are starting, and is redrawn. A pipe or a file gets a new line every second instead.
 */
export class Progress {
  readonly #output: NodeJS.WriteStream;
  readonly #starting = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #firstStartedAt = Date.now();
  #framesDrawn = 0;

  constructor(output: NodeJS.WriteStream = process.stdout) {
    this.#output = output;
    const interval = output.isTTY ? drawMilliseconds : lineMilliseconds;
    this.#timer = setInterval(() => this.#draw(), interval);
  }

  /** Shows a service as starting, and as started when `work` resolves. @returns the result of `work` @throws its error */
  async track<Result>(name: string, work: Promise<Result>): Promise<Result> {
    const startedAt = Date.now();
    if (this.#starting.size === 0) this.#firstStartedAt = startedAt;
    this.#starting.add(name);
    try {
      const result = await work;
      this.#print(`  ✓ ${name.padEnd(32)} ${formatSecondsSince(startedAt).padStart(6)}`);
      return result;
    } finally {
      this.#starting.delete(name);
    }
  }

  /** Prints a line above the status line. */
  printAbove(text: string): void {
    this.#print(`  ${text}`);
  }

  /** Removes the status line. */
  end(): void {
    clearInterval(this.#timer);
    this.#erase();
  }

  #print(line: string): void {
    this.#erase();
    this.#output.write(`${line}\n`);
    // Restarts the interval, so that a pipe gets its next status line a second later.
    this.#timer.refresh();
  }

  #draw(): void {
    if (this.#starting.size === 0) return;
    const names = `${[...this.#starting].join(', ')} … ${formatSecondsSince(this.#firstStartedAt)}`;
    if (this.#output.isTTY) {
      this.#framesDrawn++;
      const line = `  ${frames[this.#framesDrawn % frames.length]} ${names}`;
      this.#output.write(`\r\x1b[2K${line.slice(0, (this.#output.columns || 80) - 1)}`);
    } else {
      this.#print(`    ${names}`);
    }
  }

  #erase(): void {
    if (this.#output.isTTY && this.#framesDrawn > 0) this.#output.write('\r\x1b[2K');
    this.#framesDrawn = 0;
  }
}

function formatSecondsSince(time: number): string {
  return `${((Date.now() - time) / 1000).toFixed(1)} s`;
}
