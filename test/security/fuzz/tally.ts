import type { WireAnswer } from './send.ts';

interface Counts {
  cases: number;
  statuses: Map<number, number>;
  longestMilliseconds: number;
  slow: number;
}

/** Counts the requests to each endpoint and the statuses of their answers. */
export class Tally {
  readonly #counts = new Map<string, Counts>();

  /** @param isSlow whether the request takes more than a second each time it is sent */
  add(name: string, { status, milliseconds }: WireAnswer, isSlow: boolean): void {
    const counts = this.#counts.get(name) ?? {
      cases: 0,
      statuses: new Map(),
      longestMilliseconds: 0,
      slow: 0,
    };
    this.#counts.set(name, counts);
    counts.cases++;
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
    counts.longestMilliseconds = Math.max(counts.longestMilliseconds, milliseconds);
    if (isSlow) counts.slow++;
  }

  get cases(): number {
    return this.#sum(({ cases }) => cases);
  }

  get slow(): number {
    return this.#sum(({ slow }) => slow);
  }

  /** A line for each endpoint: cases, the longest time (with cold starts and waiting), and answers by status. */
  toString(): string {
    const lines = [...this.#counts].map(([name, { cases, statuses, longestMilliseconds, slow }]) => {
      const statusCounts = [...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`);
      const times = `${longestMilliseconds.toFixed(0).padStart(6)} ms${slow > 0 ? `, ${slow} slow` : ''}`;
      return `${name.padEnd(46)} ${String(cases).padStart(5)} ${times}  ${statusCounts.join(', ')}`;
    });
    return `${lines.join('\n')}\n${this.cases} cases, ${this.slow} of them take more than a second each time`;
  }

  #sum(countOf: (counts: Counts) => number): number {
    return [...this.#counts.values()].reduce((sum, counts) => sum + countOf(counts), 0);
  }
}
