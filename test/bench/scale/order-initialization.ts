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
  readonly #shardsPerTier: number;

  /** @param tiers the number of tiers, among which the table's shards are divided evenly */
  constructor(clock: SimulatedClock, table: TableModel, random: Random, tiers = 1) {
    this.#clock = clock;
    this.#table = table;
    this.#random = random;
    this.#shardsPerTier = table.available.length / tiers;
  }

  /** @param quantity the tickets of each item @param tiers the tier of each item */
  async run(quantity: number, tiers: readonly number[] = [0]): Promise<Answer> {
    if (!(await this.#retry(maximumReads, () => this.#table.readEvent()))) return 'try again';
    // As in the service, all tiers use the same number.
    const shard = this.#pick(this.#shardsPerTier);
    const plans = new Map<number, Allocation[]>(
      tiers.map((tier) => [tier, [{ shard: tier * this.#shardsPerTier + shard, quantity }]]),
    );
    const deadline = this.#clock.now + deadlineMilliseconds;
    // Conflicts, throttled transactions and short shards share one budget of retries.
    let [conflicts, shortages] = [0, 0];
    for (let retries = 0; retries < maximumRetries && this.#clock.now < deadline; retries++) {
      const outcome = await this.#table.reserve([...plans.values()].flat());
      if (outcome === 'done') return 'sold';
      if (typeof outcome === 'object') {
        const tier = Math.floor(outcome.short / this.#shardsPerTier);
        const next = await this.#planAgain(tier, quantity);
        if (typeof next === 'string') return next;
        plans.set(tier, next);
        conflicts = 0;
        await this.#pause(++shortages);
      } else {
        await this.#pause(++conflicts);
      }
    }
    return 'try again';
  }

  async #planAgain(tier: number, quantity: number): Promise<Allocation[] | Answer> {
    if (this.#shardsPerTier === 1) return 'refused';
    const firstShard = tier * this.#shardsPerTier;
    const shards = Array.from({ length: this.#shardsPerTier }, (_, index) => firstShard + index);
    const plan = () =>
      planAllocation(
        this.#table.available.slice(firstShard, firstShard + this.#shardsPerTier),
        quantity,
        (count) => this.#pick(count),
      )?.map((allocation) => ({ ...allocation, shard: firstShard + allocation.shard }));
    let unread = shards;
    const areAllRead = await this.#retry(maximumReads, async () => {
      unread = await this.#table.readShards(unread);
      return unread.length === 0;
    });
    if (!areAllRead) return 'try again';
    const firstPlan = plan();
    if (firstPlan) return firstPlan;
    // Without a snapshot, the service tries any shard again.
    if (!(await this.#table.readShardsInTransaction(shards)))
      return [{ shard: firstShard + this.#pick(this.#shardsPerTier), quantity }];
    return plan() ?? 'refused';
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
