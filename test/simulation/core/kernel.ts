import { AsyncLocalStorage } from 'node:async_hooks';
import type { Random } from './random.ts';

/** What runs at present: an invocation of a function, or an actor outside the service. */
export interface Cause {
  /** Identifies the cause within the history, and names its randomness. */
  name: string;
  random: Random;
  /** The difference of this environment's clock, in milliseconds. */
  skew: number;
  /** Whether its environment was killed: its timers and requests come to nothing. */
  isDead: boolean;
  /** The number of requests that it has sent. */
  requests: number;
  /** The number of faults that were injected into it. */
  faults: number;
  /** Of these, those in requests to the table. */
  tableFaults: number;
  onLog?: (line: string) => void;
  /** Called with the number of each request before it is sent. */
  onRequest?: (number: number) => void;
}

const causes = new AsyncLocalStorage<Cause>();

export function currentCause(): Cause | undefined {
  return causes.getStore();
}

export function runAs<Result>(cause: Cause, run: () => Result): Result {
  return causes.run(cause, run);
}

interface Scheduled {
  time: number;
  run: () => void;
  isCancelled: boolean;
}

const realSetImmediate = setImmediate;

/**
 * Runs all microtasks and ticks: nothing else is asynchronous, since timers and the network are simulated. Node.js has no
 * documented function for it. To wait for `setImmediate` instead takes a turn of the event loop, an eighth of a history.
 */
const { _tickCallback: runToRest } = process as unknown as { _tickCallback(): void };

/**
 * The clock and the schedule of a history. Everything that takes time waits here: requests of the service, timers,
 * deliveries and actors. Exactly one continues at a time, and the clock moves only when nothing can run any more, which
 * is known without waiting: nothing in the process waits for anything else than this schedule.
 */
export class Kernel {
  now: number;
  /** What will happen, the first last. */
  readonly #schedule: Scheduled[] = [];
  readonly #names = new Map<string, number>();

  constructor(start: number) {
    this.now = start;
  }

  /** Makes the name of a cause unique, since its name decides its randomness. */
  uniqueName(name: string): string {
    const uses = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, uses);
    return uses === 1 ? name : `${name}-${uses}`;
  }

  at(time: number, run: () => void): Scheduled {
    const scheduled = { time: Math.max(time, this.now), run, isCancelled: false };
    insert(this.#schedule, scheduled);
    return scheduled;
  }

  after(milliseconds: number, run: () => void): Scheduled {
    return this.at(this.now + milliseconds, run);
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  /** The time of the next event; undefined when nothing is scheduled. */
  get nextTime(): number | undefined {
    while (this.#schedule.at(-1)?.isCancelled) this.#schedule.pop();
    return this.#schedule.at(-1)?.time;
  }

  /** Runs until a condition is true. @returns false when nothing is scheduled any more, or the time limit passes */
  runUntil(condition: () => boolean, timeLimit = Number.POSITIVE_INFINITY): Promise<boolean> {
    // In a microtask, `runToRest` would do nothing.
    return new Promise((resolve, reject) =>
      realSetImmediate(() => {
        try {
          resolve(this.#run(condition, timeLimit));
        } catch (error) {
          reject(error);
        }
      }),
    );
  }

  #run(condition: () => boolean, timeLimit: number): boolean {
    while (!condition()) {
      const next = this.nextTime;
      if (next === undefined || next > timeLimit) {
        if (timeLimit !== Number.POSITIVE_INFINITY) this.now = Math.max(this.now, timeLimit);
        return condition();
      }
      const { run } = this.#schedule.pop() as Scheduled;
      this.now = next;
      run();
      runToRest();
    }
    return true;
  }
}

/** Inserts an item into a schedule, which is sorted from the last to the first. */
function insert(schedule: Scheduled[], item: Scheduled): void {
  let [low, high] = [0, schedule.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    // What is scheduled at the same time keeps its order.
    if ((schedule[middle] as Scheduled).time > item.time) low = middle + 1;
    else high = middle;
  }
  schedule.splice(low, 0, item);
}
