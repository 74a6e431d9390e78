import type { Allocation } from '../../../shared/catalog/inventory/inventory.ts';
import { dueShards, eventOrderShards } from '../../../shared/dynamo/keys.ts';
import type { Random } from '../../support/random.ts';
import { assumedMilliseconds } from '../cost.ts';
import { Bucket, type SimulatedClock } from './simulated-clock.ts';

/**
 * DynamoDB's limits in units a second: of a partition (and so of an item), of a new on-demand table, and of a table
 * with warm throughput up to the default quota.
 */
export const limits = {
  itemWrites: 1_000,
  itemReads: 3_000,
  newTableWrites: 4_000,
  warmTableWrites: 40_000,
};

/** How long a transaction conflicts with others on its items. An assumption, not a measurement. */
const lockMilliseconds = 8;

/** The write units of the transaction's other items: the order with its index entries, and the buyer's counters. */
const otherUnits = 8;
/** The write units of an order in each partition of an index that lists it: of its event's orders, and of due work. */
const indexUnits = 1;

/** The result of a transaction. `short`: the index of a shard that has fewer tickets than the order needs. */
export type Outcome = 'done' | { short: number } | 'conflict' | 'throttled';

interface Shard {
  available: number;
  lockedUntil: number;
  writes: Bucket;
  reads: Bucket;
}

/**
 * The items of one sale: the event, which every order reads, and its inventory shards, each in its own partition.
 * DynamoDB splits hot partitions gradually; before that, a real table is slower than this model.
 */
export class TableModel {
  readonly counts = { conflicts: 0, throttledWrites: 0, throttledByIndexes: 0, throttledReads: 0 };
  readonly #clock: SimulatedClock;
  readonly #table: Bucket;
  readonly #event = new Bucket(limits.itemReads);
  readonly #shards: Shard[];
  readonly #indexes: Bucket[][];
  readonly #random: Random;

  /** @param indexPartitions the number of partitions of the event's orders and of due work, over which ids are even */
  constructor(
    clock: SimulatedClock,
    tableWrites: number,
    available: readonly number[],
    random: Random,
    indexPartitions: readonly number[] = [eventOrderShards, dueShards],
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#indexes = indexPartitions.map((count) =>
      Array.from({ length: count }, () => new Bucket(limits.itemWrites)),
    );
    this.#table = new Bucket(tableWrites);
    this.#shards = available.map((free) => ({
      available: free,
      lockedUntil: 0,
      writes: new Bucket(limits.itemWrites),
      reads: new Bucket(limits.itemReads),
    }));
  }

  get available(): number[] {
    return this.#shards.map(({ available }) => available);
  }

  /** Reserves tickets from shards in the transaction that writes the order. */
  async reserve(allocations: readonly Allocation[]): Promise<Outcome> {
    const outcome = this.#tryReserve(allocations, this.#clock.now);
    if (outcome === 'conflict') this.counts.conflicts++;
    if (outcome === 'throttled') this.counts.throttledWrites++;
    await this.#clock.wait(assumedMilliseconds.transaction);
    return outcome;
  }

  #tryReserve(allocations: readonly Allocation[], now: number): Outcome {
    const shards = allocations.map(({ shard }) => this.#shards[shard] as Shard);
    // A transaction's writes cost twice as much, also when its conditions fail.
    const units = 2 * allocations.length + otherUnits;
    if (!this.#table.take(units, now) || !shards.every(({ writes }) => writes.take(2, now)))
      return 'throttled';
    const entries = this.#indexes.map((partitions) => partitions[this.#pick(partitions.length)] as Bucket);
    if (!entries.every((partition) => partition.take(indexUnits, now))) {
      this.counts.throttledByIndexes++;
      return 'throttled';
    }
    if (shards.some(({ lockedUntil }) => lockedUntil > now)) return 'conflict';
    const short = allocations.find(({ quantity }, index) => (shards[index]?.available ?? 0) < quantity);
    if (short) return { short: short.shard };
    for (const [index, shard] of shards.entries()) {
      shard.lockedUntil = now + lockMilliseconds;
      shard.available -= allocations[index]?.quantity ?? 0;
    }
    return 'done';
  }

  #pick(count: number): number {
    return Math.floor(this.#random.next() * count);
  }

  /** Reads the event. @returns false when the read is throttled */
  async readEvent(): Promise<boolean> {
    return (await this.#read([this.#event], 1)).length === 0;
  }

  /** Reads each shard with one request. @returns the indexes of shards that were throttled */
  readShards(indexes: readonly number[]): Promise<number[]> {
    return this.#read(
      indexes.map((index) => (this.#shards[index] as Shard).reads),
      1,
    ).then((failed) => failed.map((position) => indexes[position] as number));
  }

  /** Reads shards in one transaction, at twice the units. @returns false after a conflict or a throttled read */
  async readShardsInTransaction(indexes: readonly number[]): Promise<boolean> {
    const { now } = this.#clock;
    const shards = indexes.map((index) => this.#shards[index] as Shard);
    const isUnlocked = shards.every(({ lockedUntil }) => lockedUntil <= now);
    const failed = await this.#read(
      shards.map(({ reads }) => reads),
      2,
    );
    return isUnlocked && failed.length === 0;
  }

  async #read(buckets: readonly Bucket[], units: number): Promise<number[]> {
    const { now } = this.#clock;
    const failed = buckets.flatMap((bucket, index) => (bucket.take(units, now) ? [] : [index]));
    this.counts.throttledReads += failed.length;
    await this.#clock.wait(assumedMilliseconds.request);
    return failed;
  }
}
