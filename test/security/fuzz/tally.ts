import type { WireAnswer } from './send.ts';

interface Line {
  cases: number;
  statuses: Map<number, number>;
  longest: number;
  slow: number;
}

/** Counts the requests to each endpoint and the statuses of their answers. */
export class Tally {
  readonly #lines = new Map<string, Line>();

  /** @param isSlow whether the request takes more than a second each time it is sent */
  add(name: string, { status, milliseconds }: WireAnswer, isSlow: boolean): void {
    const line = this.#lines.get(name) ?? { cases: 0, statuses: new Map(), longest: 0, slow: 0 };
    this.#lines.set(name, line);
    line.cases++;
    line.statuses.set(status, (line.statuses.get(status) ?? 0) + 1);
    line.longest = Math.max(line.longest, milliseconds);
    if (isSlow) line.slow++;
  }

  get cases(): number {
    return this.#sum(({ cases }) => cases);
  }

  get slow(): number {
    return this.#sum(({ slow }) => slow);
  }

  /** A line for each endpoint: cases, the longest answer (cold starts and waiting included), answers by status. */
  toString(): string {
    const lines = [...this.#lines].map(([name, { cases, statuses, longest, slow }]) => {
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
      const times = `${longest.toFixed(0).padStart(6)} ms${slow > 0 ? `, ${slow} slow` : ''}`;
      return `${name.padEnd(46)} ${String(cases).padStart(5)} ${times}  ${counts.join(', ')}`;
    });
    return `${lines.join('\n')}\n${this.cases} cases, ${this.slow} of them take more than a second each time`;
  }

  #sum(count: (line: Line) => number): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + count(line), 0);
  }
}
