import { type Allocation, planAllocation } from '../../../shared/catalog/inventory/inventory.ts';
import {
  deadlineMilliseconds,
  longestPauseMilliseconds,
  maximumRetries,
} from '../../../shared/runtime/retry.ts';
import type { Random } from '../../support/random.ts';
import type { SimulatedClock } from './simulated-clock.ts';
import type { TableModel } from './table-model.ts';

export type Answer = 'sold' | 'refused' | 'try again';

/** Simulates the table requests of orders/initialize, with the service's own rules for allocation and retries. */
export class OrderInitialization {
  readonly #clock: SimulatedClock;
  readonly #table: TableModel;
  readonly #random: Random;

  constructor(clock: SimulatedClock, table: TableModel, random: Random) {
    this.#clock = clock;
    this.#table = table;
    this.#random = random;
  }

  async run(quantity: number): Promise<Answer> {
    if (!(await this.#retry(maximumReads, () => this.#table.readEvent()))) return 'try again';
    const shardCount = this.#table.available.length;
    let plan: Allocation[] = [{ shard: this.#pick(shardCount), quantity }];
    const deadline = this.#clock.now + deadlineMilliseconds;
    // Conflicts, throttled transactions and short shards share one budget of retries.
    let [conflicts, shortages] = [0, 0];
    for (let retries = 0; retries < maximumRetries && this.#clock.now < deadline; retries++) {
      const outcome = await this.#table.reserve(plan);
      if (outcome === 'done') return 'sold';
      if (outcome === 'short') {
        const next = await this.#planAgain(shardCount, quantity);
        if (typeof next === 'string') return next;
        plan = next;
        conflicts = 0;
        await this.#pause(++shortages);
      } else {
        await this.#pause(++conflicts);
      }
    }
    return 'try again';
  }

  async #planAgain(shardCount: number, quantity: number): Promise<Allocation[] | Answer> {
    if (shardCount === 1) return 'refused';
    let unread = Array.from({ length: shardCount }, (_, index) => index);
    const areAllRead = await this.#retry(maximumReads, async () => {
      unread = await this.#table.readShards(unread);
      return unread.length === 0;
    });
    if (!areAllRead) return 'try again';
    const plan = planAllocation(this.#table.available, quantity, (count) => this.#pick(count));
    if (plan) return plan;
    // Without a snapshot, the service tries any shard again.
    if (!(await this.#table.readShardsInTransaction())) return [{ shard: this.#pick(shardCount), quantity }];
    return planAllocation(this.#table.available, quantity, (count) => this.#pick(count)) ?? 'refused';
  }

  async #retry(times: number, job: () => Promise<boolean>): Promise<boolean> {
    for (let attempt = 1; attempt <= times; attempt++) {
      if (await job()) return true;
      await this.#pause(attempt);
    }
    return false;
  }

  #pause(attempt: number): Promise<void> {
    return this.#clock.wait(this.#random.next() * longestPauseMilliseconds(attempt));
  }

  #pick(count: number): number {
    return Math.floor(this.#random.next() * count);
  }
}

/** The attempts at a throttled read before the response is an error. */
const maximumReads = 7;
