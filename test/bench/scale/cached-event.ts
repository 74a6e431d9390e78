import type { Agenda } from './agenda.ts';
import type { TableModel } from './table-model.ts';

/** How long the CDN keeps a public event, in milliseconds: `publicCaching` in shared/http/cache.ts. */
const lifetime = 2_000;

/** The event's page as the CDN has it. Each of its locations reads the table at most once per lifetime. */
export class CachedEvent {
  readonly #agenda: Agenda;
  readonly #table: TableModel;
  #readAt = Number.NEGATIVE_INFINITY;
  #isSoldOut = false;

  constructor(agenda: Agenda, table: TableModel) {
    this.#agenda = agenda;
    this.#table = table;
  }

  /** Returns whether the page says "Sold out". It may be up to two seconds old. */
  get isSoldOut(): boolean {
    if (this.#agenda.now - this.#readAt >= lifetime) {
      this.#readAt = this.#agenda.now;
      this.#isSoldOut = this.#table.available.every((free) => free === 0);
    }
    return this.#isSoldOut;
  }
}
