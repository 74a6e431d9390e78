import { createHash } from 'node:crypto';
import * as z from 'zod';
import { aboutTier, conflict, DomainError } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem, getItems, type Item, readSnapshot } from '../../dynamo/read.ts';
import { check, put, remove, update, type Write, write } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { retry } from '../../runtime/retry.ts';
import { codeUsedUpByUser } from '../promo-codes/code.ts';
import {
  type Allocation,
  countTickets,
  countUnavailable,
  type Demand,
  type Inventory,
  nextUnpaidHolds,
  type OpenCount,
  type Pool,
  type ShardChange,
  sumByPool,
  type TierQuantity,
  type UnpaidHolds,
} from './inventory.ts';

/** A stored shard of a pool. A missing shard has no tickets. */
const storedShard = z.object({
  available: z.number().default(0),
  saleVersion: z.number().optional(),
  /** Whether an order has ever reserved tickets from the shard. */
  ordered: z.boolean().default(false),
});

/** A shard has fewer free tickets than a reservation needs. */
export class InventoryShort extends Error {
  readonly pool: string;
  readonly available: number;
  constructor(pool: string, available: number) {
    super(`Pool ${pool} is short`);
    this.pool = pool;
    this.available = available;
  }
}

/** The inventory's version has changed since it was read. The caller reads it and decides again. */
export class InventoryChanged extends Error {}

/** Reads the free tickets of each shard of each pool. The reads of different shards are not a snapshot. */
export async function readInventory({ eventId, pools }: Inventory): Promise<number[][]> {
  return groupByPool(pools, await getItems(pools.flatMap((pool) => toShardKeys(eventId, pool))));
}

/** Returns whether tickets are sold or held. */
export async function hasSoldTickets(inventory: Inventory): Promise<boolean> {
  return countUnavailable(inventory.pools, await readInventory(inventory)) !== 0;
}

/**
 * Reads the free tickets of all shards in one snapshot; returns undefined after a concurrent write, or when the
 * inventory has another version.
 */
export async function readInventorySnapshot({
  eventId,
  version,
  pools,
}: Inventory): Promise<number[][] | undefined> {
  const items = await readSnapshot(pools.flatMap((pool) => toShardKeys(eventId, pool)));
  if (!items?.every((item) => item?.saleVersion === version)) return undefined;
  return groupByPool(pools, items);
}

/**
 * Calls `decide` with the free tickets of each shard. Separate reads of shards can add up to fewer tickets than were
 * free at any time. So when `decide` throws a DomainError, it runs again on a snapshot.
 * @throws DomainError as `decide` does; InventoryChanged when a concurrent write prevents the snapshot
 */
export async function decideOnInventory<Result>(
  inventory: Inventory,
  decide: (available: number[][]) => Result,
): Promise<Result> {
  try {
    return decide(await readInventory(inventory));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const available = await readInventorySnapshot(inventory);
    if (!available) throw new InventoryChanged();
    return decide(available);
  }
}

/** Counts the free tickets of several inventories by pool id, in one request per 100 shards. */
export async function readAvailable(inventories: readonly Inventory[]): Promise<Map<string, number>[]> {
  const items = await getItems(
    inventories.flatMap(({ eventId, pools }) => pools.flatMap((pool) => toShardKeys(eventId, pool))),
  );
  return inventories.map(({ pools }) =>
    sumByPool(pools, groupByPool(pools, items.splice(0, countShards(pools)))),
  );
}

/** Returns the writes that reserve tickets. @throws InventoryShort or InventoryChanged from the transaction */
export function reserveInventory(
  inventory: Inventory,
  pool: string,
  allocations: readonly Allocation[],
): Write[] {
  return allocations.map(({ shard, quantity }) =>
    update(
      keys.inventoryShard(inventory.eventId, pool, shard),
      { set: { ordered: true }, add: { available: -quantity } },
      {
        when: '#saleVersion = :version AND #available >= :quantity',
        values: { version: inventory.version, quantity },
        orThrow: (current) => toInventoryError(inventory, pool, current),
      },
    ),
  );
}

/**
 * Returns the writes that release tickets into one shard of each pool.
 * @param shard the order's shard, which is reduced modulo each pool's number of shards
 * @throws InventoryChanged from the transaction
 */
export function releaseInventory(inventory: Inventory, demands: readonly Demand[], shard: number): Write[] {
  return demands.map(({ pool, quantity }) =>
    update(
      keys.inventoryShard(inventory.eventId, pool.id, shard % pool.shards),
      { add: { available: quantity } },
      {
        when: '#saleVersion = :version',
        values: { version: inventory.version },
        orThrow: () => new InventoryChanged(),
      },
    ),
  );
}

/**
 * Returns the check that an inventory has not changed, for a write that takes nothing from it.
 * @throws InventoryChanged from the transaction
 */
export function checkInventory({ eventId, version }: Inventory, { id, shards }: Pool, shard: number): Write {
  return check(keys.inventoryShard(eventId, id, shard % shards), {
    when: '#saleVersion = :version',
    values: { version },
    orThrow: () => new InventoryChanged(),
  });
}

/**
 * Returns the writes that change the shards of an inventory as planned, and set the next version on all of them.
 * @throws InventoryShort or InventoryChanged from the transaction
 */
export function changeInventory(
  before: Inventory,
  nextVersion: number,
  changes: readonly ShardChange[],
): Write[] {
  return changes.map(({ pool, shard, change, expectedAvailable }) => {
    const key = keys.inventoryShard(before.eventId, pool, shard);
    const set = { saleVersion: nextVersion };
    if (typeof change === 'object' && 'initial' in change) {
      return put(
        { ...key, available: change.initial, ...set },
        { when: 'attribute_not_exists(#pk)', orThrow: () => new InventoryChanged() },
      );
    }
    const condition = {
      when: `#saleVersion = :version AND #available ${expectedAvailable === undefined ? '>=' : '='} :requiredAvailable`,
      values: {
        version: before.version,
        requiredAvailable: expectedAvailable ?? (change === 'closed' ? 0 : Math.max(0, -change.add)),
      },
      orThrow: (current: Item | undefined) => toInventoryError(before, pool, current),
    };
    return change === 'closed'
      ? remove(key, condition)
      : update(key, { set, add: { available: change.add } }, condition);
  });
}

/**
 * Returns the writes that remove an inventory if no ticket of it was ever reserved. This condition is strongly
 * consistent, unlike lists of orders.
 * @param available the free tickets of each shard of each pool
 * @param hasOrdersError returns the error for an inventory with a past or present order
 * @throws the error of `hasOrdersError`; InventoryShort or InventoryChanged from the transaction
 */
export function removeInventory(
  inventory: Inventory,
  available: readonly number[][],
  hasOrdersError: () => Error,
): Write[] {
  return inventory.pools.flatMap((pool, index) =>
    toShardKeys(inventory.eventId, pool).map((key, shard) =>
      remove(key, {
        when: '#saleVersion = :version AND #available = :free AND attribute_not_exists(#ordered)',
        values: { version: inventory.version, free: available[index]?.[shard] ?? 0 },
        orThrow: (current) =>
          storedShard.parse(current ?? {}).ordered
            ? hasOrdersError()
            : toInventoryError(inventory, pool.id, current),
      }),
    ),
  );
}

function toInventoryError(inventory: Inventory, pool: string, current: Item | undefined): Error {
  const { saleVersion, available } = storedShard.parse(current ?? {});
  return saleVersion === inventory.version ? new InventoryShort(pool, available) : new InventoryChanged();
}

function groupByPool(pools: readonly Pool[], items: readonly (Item | undefined)[]): number[][] {
  let start = 0;
  return pools.map(({ shards }) => {
    start += shards;
    return items.slice(start - shards, start).map((item) => storedShard.parse(item ?? {}).available);
  });
}

function countShards(pools: readonly Pool[]): number {
  return pools.reduce((count, { shards }) => count + shards, 0);
}

function toShardKeys(eventId: string, pool: Pool) {
  return Array.from({ length: pool.shards }, (_, shard) => keys.inventoryShard(eventId, pool.id, shard));
}

/** The parts of an order that count towards its buyer's limits. */
export interface Purchase {
  eventId: string;
  /** The hash of the buyer's address, or the user's id: see `Order`. */
  buyer: string;
  items: readonly TierQuantity[];
  /** The code that the order was placed with. */
  redemption?: { code: string } | undefined;
}

/** The limits of one buyer's purchases. */
export interface PurchaseLimits {
  /** The maximum number of unpaid orders. Unpaid orders are counted only with this limit. */
  maxOpenOrders?: number | undefined;
  /**
   * Whether the order is a guest's and unpaid. It has to be within the limits, but its tickets are counted only when it is
   * paid: anybody can order as a guest with another person's address. Of each address there is at most one.
   */
  isUnpaidGuest?: boolean | undefined;
  /** The maximum number of tickets over all tiers of the event, without add-ons. */
  maxPerWallet: number;
  /** The maximum number of tickets of each tier, by its id. */
  maxPerPerson: ReadonlyMap<string, number>;
  /** The maximum number of orders with the code; absent without such a limit. */
  maxPerCode?: number | undefined;
  /** The current time, epoch milliseconds; refuses a buyer whose pause after unpaid orders has not ended. */
  refusesPausedAt?: number | undefined;
}

/**
 * Returns the write that adds an order's tickets and its code to the buyer's counters.
 * @throws DomainError 409, from the call or from the transaction, for the exceeded limit
 */
export function countPurchase(purchase: Purchase, limits: PurchaseLimits): Write {
  const { redemption } = purchase;
  const counted = countedTickets(purchase, limits);
  const findExceeded = (current: Item | undefined) =>
    counted.find(({ counter, quantity, maximum }) => Number(current?.[counter] ?? 0) + quantity > maximum);
  // The condition is true while the counters do not exist, so only this check limits a first purchase.
  const exceeded = findExceeded(undefined);
  if (exceeded) throw exceeded.error();
  const code = redemption && codeCounter(redemption.code);
  const isCodeLimited = code !== undefined && limits.maxPerCode !== undefined;
  const { refusesPausedAt: now, isUnpaidGuest } = limits;
  const belowCondition = (counter: string, value: string) =>
    `(attribute_not_exists(#${counter}) OR #${counter} < :${value})`;
  return update(
    keys.buyer(purchase.eventId, purchase.buyer),
    {
      add: isUnpaidGuest
        ? { guest: 1, total: 0 }
        : {
            ...Object.fromEntries(counted.map(({ counter, quantity }) => [counter, quantity])),
            ...(limits.maxOpenOrders !== undefined && { open: 1 }),
            ...(code && { [code]: 1 }),
          },
    },
    {
      when: [
        ...counted.map(
          ({ counter }) => `(attribute_not_exists(#${counter}) OR #${counter} <= :maximum_${counter})`,
        ),
        ...(limits.maxOpenOrders === undefined
          ? []
          : [belowCondition(isUnpaidGuest ? 'guest' : 'open', 'maximumOpen')]),
        ...(isCodeLimited ? [belowCondition(code, 'maximumOfCode')] : []),
        ...(now === undefined ? [] : ['(attribute_not_exists(#pausedUntil) OR #pausedUntil <= :now)']),
      ].join(' AND '),
      values: {
        ...Object.fromEntries(
          counted.map(({ counter, quantity, maximum }) => [`maximum_${counter}`, maximum - quantity]),
        ),
        ...(limits.maxOpenOrders !== undefined && { maximumOpen: limits.maxOpenOrders }),
        ...(isCodeLimited && { maximumOfCode: limits.maxPerCode }),
        ...(now !== undefined && { now }),
      },
      orThrow: (current) => {
        const pausedUntil = Number(current?.pausedUntil ?? 0);
        if (now !== undefined && pausedUntil > now) return paused(pausedUntil - now);
        const exceeded = findExceeded(current);
        if (exceeded) return exceeded.error();
        if (isCodeLimited && Number(current?.[code] ?? 0) >= Number(limits.maxPerCode))
          return codeUsedUpByUser();
        return tooManyOpenOrders();
      },
    },
  );
}

/** Returns the buyer's counters that an order raises: one for each tier, then that of all tickets of the event. */
function countedTickets({ items }: Purchase, { maxPerPerson, maxPerWallet }: PurchaseLimits) {
  return [
    ...items.map(({ tierId, quantity }) => {
      const maximum = maxPerPerson.get(tierId) ?? 0;
      return {
        counter: tierCounter(tierId),
        quantity,
        maximum,
        error: () => aboutTier(tierId, tierLimitExceeded(maximum)),
      };
    }),
    {
      counter: 'total',
      quantity: countTickets(items),
      maximum: maxPerWallet,
      error: () => walletLimitExceeded(maxPerWallet),
    },
  ];
}

/** Returns the change of a buyer's counters by an order: by `1` that counts it, by `-1` that stops counting it. */
function countersOf(
  { items, redemption }: Purchase,
  openCount: OpenCount | undefined,
  sign: 1 | -1,
): Record<string, number> & { total: number } {
  if (openCount === 'guest') return { guest: sign, total: 0 };
  return {
    total: sign * countTickets(items),
    ...Object.fromEntries(items.map(({ tierId, quantity }) => [tierCounter(tierId), sign * quantity])),
    ...(redemption && { [codeCounter(redemption.code)]: sign }),
    ...(openCount && { open: sign }),
  };
}

/**
 * Returns the write that subtracts an order's tickets and its code from the buyer's counters.
 * @param openCount how the order is still counted as unpaid
 * @param unpaidHolds the buyer's orders that ended unpaid, with this one; unchanged when absent
 * @throws InventoryChanged from the transaction, when another order of the buyer has ended unpaid meanwhile
 */
export function uncountPurchase(
  purchase: Purchase,
  openCount?: OpenCount,
  unpaidHolds?: { before: number; next: UnpaidHolds },
): Write {
  const change = {
    ...(unpaidHolds && { set: { ...unpaidHolds.next } }),
    add: countersOf(purchase, openCount, -1),
  };
  const condition = unpaidHolds && {
    when: unpaidHolds.before ? '#unpaid = :before' : 'attribute_not_exists(#unpaid)',
    values: unpaidHolds.before ? { before: unpaidHolds.before } : {},
    orThrow: () => new InventoryChanged(),
  };
  return update(keys.buyer(purchase.eventId, purchase.buyer), change, condition);
}

/**
 * Returns the writes that let another buyer's counters count an order, and that remove the counters of the present one
 * when they count nothing else.
 * @param held whether the order holds its tickets, and how it is counted as unpaid
 * @throws DomainError 409 `busy` from the transaction, after a concurrent change of the counters
 */
export async function recountPurchase(
  purchase: Purchase,
  { holdsInventory, openCount }: { holdsInventory: boolean; openCount: OpenCount | undefined },
  nextBuyer: string,
): Promise<Write[]> {
  const { eventId, buyer } = purchase;
  const counters = await getItem(keys.buyer(eventId, buyer));
  const [total, guest] = [Number(counters?.total ?? 0), Number(counters?.guest ?? 0)];
  const counted = holdsInventory ? countersOf(purchase, openCount, 1) : undefined;
  const isEmptied = total === (counted?.total ?? 0) && guest === (openCount === 'guest' ? 1 : 0);
  const removal = remove(keys.buyer(eventId, buyer), {
    when: '#total = :total AND (attribute_not_exists(#guest) OR #guest = :guest)',
    values: { total, guest },
    orThrow: () => conflict('busy', 'The order has just been changed. Please try again.', 1),
  });
  if (!counted) return counters && isEmptied ? [removal] : [];
  return [
    isEmptied ? removal : uncountPurchase(purchase, openCount),
    update(keys.buyer(eventId, nextBuyer), { add: counted }),
  ];
}

/**
 * Counts an order of a buyer that ends unpaid.
 * @returns the present number and the next values; undefined where the stage has no pauses
 */
export async function countUnpaidHold({ eventId, buyer }: Pick<Purchase, 'eventId' | 'buyer'>) {
  const seconds = optionalSetting('HOLD_PAUSE_SECONDS');
  if (seconds === undefined) return undefined;
  const counters = await getItem(keys.buyer(eventId, buyer));
  const next = nextUnpaidHolds(counters ?? {}, Date.now(), Number(seconds) * 1000);
  return { before: Number(counters?.unpaid ?? 0), next };
}

/** Requires that a buyer is not paused after unpaid orders. @throws DomainError 429 while it lasts */
export async function requireBuyerUnpaused({
  eventId,
  buyer,
}: Pick<Purchase, 'eventId' | 'buyer'>): Promise<void> {
  if (optionalSetting('HOLD_PAUSE_SECONDS') === undefined) return;
  const pausedUntil = Number((await getItem(keys.buyer(eventId, buyer)))?.pausedUntil ?? 0);
  if (pausedUntil > Date.now()) throw paused(pausedUntil - Date.now());
}

/**
 * Identifies the network of a buyer whose address is not confirmed, for one event.
 * @returns undefined where the stage does not pause networks
 */
export function hashNetwork(eventId: string, address: string): string | undefined {
  const isLimited = optionalSetting('HOLD_PAUSE_SECONDS') && optionalSetting('UNPAID_ORDERS_PER_ADDRESS');
  if (!isLimited) return undefined;
  return createHash('sha256').update(`${eventId}#${address}`).digest('base64url').slice(0, 22);
}

/** Requires that a network is not paused. @throws DomainError 429 while it lasts */
export function requireUnpaused(item: Item | undefined, now: number): void {
  const pausedUntil = Number(item?.pausedUntil ?? 0);
  if (pausedUntil > now) throw pausedNetwork(pausedUntil - now);
}

/**
 * Counts an order of a network that ended unpaid. Called once the order has failed; an interruption in between leaves it
 * uncounted, which only delays the pause.
 */
export async function countUnpaidHoldOfNetwork(network: string): Promise<void> {
  const key = keys.attempts('UNPAID', network);
  const freeHolds = Number(optionalSetting('UNPAID_ORDERS_PER_ADDRESS'));
  const pauseMilliseconds = Number(optionalSetting('HOLD_PAUSE_SECONDS')) * 1000;
  if (!freeHolds || !pauseMilliseconds) return;
  const count = async () => {
    const item = await getItem(key);
    const before = Number(item?.unpaid ?? 0);
    const next = nextUnpaidHolds(item ?? {}, Date.now(), pauseMilliseconds, freeHolds);
    const condition = {
      when: before ? '#unpaid = :before' : 'attribute_not_exists(#unpaid)',
      values: before ? { before } : {},
      orThrow: () => new InventoryChanged(),
    };
    await write(update(key, { set: { ...next, ttl: Math.ceil(next.unpaidAt / 1000) + 86_400 } }, condition));
  };
  await retry(count, {
    isRetryable: (error) => error instanceof InventoryChanged,
    exhaustedError: () => conflict('busy', 'Many orders of one network are ending', 1),
  });
}

/** Counts the tickets for an event that a buyer's orders hold. */
export async function countHeldTickets(eventId: string, buyer: string): Promise<number> {
  return Number((await getItem(keys.buyer(eventId, buyer)))?.total ?? 0);
}

/** Counts a buyer's orders that hold tickets and use a code. */
export async function countCodeUses(eventId: string, buyer: string, code: string): Promise<number> {
  const counters = await getItem(keys.buyer(eventId, buyer));
  return Number(counters?.[codeCounter(code)] ?? 0);
}

/** Returns the write that stops counting a paid order as unpaid. Its tickets are counted from then on. */
export function uncountOpenOrder(purchase: Purchase, openCount: OpenCount): Write {
  const { eventId, buyer } = purchase;
  const add: Record<string, number> =
    openCount === 'guest' ? { ...countersOf(purchase, undefined, 1), guest: -1 } : { open: -1 };
  return update(keys.buyer(eventId, buyer), { add });
}

const tierCounter = (tierId: string) => `tier_${tierId}`;
/**
 * Replaces dashes by underscores, since attribute names in expressions can't have dashes. Codes have no underscores.
 */
export const codeCounter = (code: string) => `code_${code.replaceAll('-', '_')}`;

const tierLimitExceeded = (maximum: number) =>
  conflict('tier-limit', `You can have at most ${maximum} tickets of this tier`);
const paused = (milliseconds: number) =>
  new DomainError(
    'too-many-requests',
    'too-many-attempts',
    'Several of your orders were not paid. Please try again later',
    Math.ceil(milliseconds / 1000),
  );
const pausedNetwork = (milliseconds: number) =>
  new DomainError(
    'too-many-requests',
    'too-many-attempts',
    'Several orders from your network were not paid. Please log in with a confirmed address, or try again later',
    Math.ceil(milliseconds / 1000),
  );
const tooManyOpenOrders = () =>
  conflict('too-many-open-orders', 'Pay or cancel your other orders for this event first');
const walletLimitExceeded = (maximum: number) =>
  conflict('wallet-limit', `You can have at most ${maximum} tickets for this event`);

/** Returns the number of tickets per shard, by default 1,000. A larger pool has several shards. */
export function ticketsPerShard(): number {
  return Number(optionalSetting('STOCK_SHARD_SIZE') ?? 1000);
}
