import type { SimulatedClock } from './simulated-clock.ts';
import type { TableModel } from './table-model.ts';

/** The time for which the CDN caches a public event: `publicCaching` in shared/http/cache.ts. */
const lifetimeMilliseconds = 2_000;

/** The event in the cache of one CDN location, which reads the table at most once per lifetime. */
export class CachedEvent {
  readonly #clock: SimulatedClock;
  readonly #table: TableModel;
  #readAt = Number.NEGATIVE_INFINITY;
  #isSoldOut = false;

  constructor(clock: SimulatedClock, table: TableModel) {
    this.#clock = clock;
    this.#table = table;
  }

  /** Returns whether the cached event, up to two seconds old, is sold out. */
  get isSoldOut(): boolean {
    if (this.#clock.now - this.#readAt >= lifetimeMilliseconds) {
      this.#readAt = this.#clock.now;
      this.#isSoldOut = this.#table.available.every((free) => free === 0);
    }
    return this.#isSoldOut;
  }
}
