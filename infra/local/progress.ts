/** The interval at which the last line of a terminal is redrawn. */
const drawMilliseconds = 100;
/** How long a pipe or a file may go without a new line. */
const quietMilliseconds = 1000;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * Shows the parts of the stack as they come up, each with the time that it took. On a terminal the last line names the
 * parts that are starting, and is redrawn. A pipe or a file gets a line a second instead.
 */
export class Progress {
  readonly #output: NodeJS.WriteStream;
  readonly #starting = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #started = Date.now();
  #drawn = 0;

  constructor(output: NodeJS.WriteStream = process.stdout) {
    this.#output = output;
    const interval = output.isTTY ? drawMilliseconds : quietMilliseconds;
    this.#timer = setInterval(() => this.#draw(), interval);
  }

  /** Shows a part as starting, and as up when `work` resolves. @returns its result @throws its error */
  async part<Result>(name: string, work: Promise<Result>): Promise<Result> {
    const started = Date.now();
    if (this.#starting.size === 0) this.#started = started;
    this.#starting.add(name);
    try {
      const result = await work;
      this.#print(`  ✓ ${name.padEnd(32)} ${seconds(started).padStart(6)}`);
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
    // A pipe's next line of what is starting is due a second from now.
    this.#timer.refresh();
  }

  #draw(): void {
    if (this.#starting.size === 0) return;
    const names = `${[...this.#starting].join(', ')} … ${seconds(this.#started)}`;
    if (this.#output.isTTY) {
      this.#drawn++;
      const line = `  ${frames[this.#drawn % frames.length]} ${names}`;
      this.#output.write(`\r\x1b[2K${line.slice(0, (this.#output.columns || 80) - 1)}`);
    } else {
      this.#print(`    ${names}`);
    }
  }

  #erase(): void {
    if (this.#output.isTTY && this.#drawn > 0) this.#output.write('\r\x1b[2K');
    this.#drawn = 0;
  }
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
