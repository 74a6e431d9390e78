import { inventoryOf } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import {
  type Allocation,
  type Demand,
  demandOf,
  eventPool,
  type Inventory,
  maximumAllocations,
  type Pool,
  planAllocation,
  reduceDemands,
  type TierQuantity,
} from '../../catalog/inventory/inventory.ts';
import {
  checkInventory,
  countPurchase,
  countUnpaidHold,
  InventoryChanged,
  InventoryShort,
  readInventory,
  readInventorySnapshot,
  releaseInventory,
  reserveInventory,
  uncountPurchase,
} from '../../catalog/inventory/store.ts';
import { uncountUse } from '../../catalog/promo-codes/store.ts';
import { aboutTier, conflict, type DomainError } from '../../core/errors.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { retry } from '../../runtime/retry.ts';
import { backedItems, type Order, openCountOf } from '../order.ts';
import { releaseListings } from '../waiting-list/listings.ts';
import type { OrderPlan } from './draft-order.ts';

/**
 * Reserves an order's tickets and, in the same transaction, makes the plan's writes.
 * @throws DomainError 409 when too few tickets are left or the buyer has reached a limit; InventoryChanged; the errors
 * of the plan's writes
 */
export async function reserveOrderTickets({
  event,
  order,
  writes,
  limits,
  takenOver = [],
}: OrderPlan): Promise<void> {
  const purchaseLimits = {
    maxPerWallet: event.maxPerWallet,
    maxPerPerson: new Map(event.tiers.map(({ id, maxPerPerson }) => [id, maxPerPerson])),
    ...limits,
  };
  const [orderWrite, ...otherWrites] = writes;
  await reserveTickets(
    inventoryOf(event),
    order,
    [orderWrite, countPurchase(order, purchaseLimits), ...otherWrites],
    takenOver,
  );
}

/**
 * Releases an order's tickets and its use of the code and, in the same transaction, makes other writes.
 * The listed seats that back an unpaid order are listed again.
 * @param options.endsUnpaid whether to count the order among those of its buyer that ended unpaid
 * @param options.kept tickets that the writes reserve for something else: all that were offered, or none
 * @throws DomainError 409 `busy` as `retryOnInventoryChange`; the errors of `writes`
 */
export async function releaseOrderTickets(
  order: Order,
  writes: readonly Write[],
  { endsUnpaid = false, kept = [] }: { endsUnpaid?: boolean; kept?: readonly TierQuantity[] } = {},
): Promise<void> {
  const { backedBy, takenOffer } = order;
  // All that were offered include the listed seats.
  const others = kept.length > 0 ? kept : backedItems(order);
  await retryOnInventoryChange(async () => {
    const unpaidHolds = endsUnpaid ? await countUnpaidHold(order) : undefined;
    const listingWrites = kept.length === 0 ? await releaseListings(backedBy, takenOffer?.id) : [];
    await tryRelease(order, [...writes, ...uncountWrites(order, unpaidHolds), ...listingWrites], others);
  });
}

/** Returns the writes that stop counting an order's tickets and its use of the code. */
export function uncountWrites(order: Order, unpaidHolds?: Parameters<typeof uncountPurchase>[2]): Write[] {
  return [uncountPurchase(order, openCountOf(order), unpaidHolds), ...uncountUse(order)];
}

/**
 * Releases tickets of an event and, in the same transaction, makes other writes.
 * @param prepareWrites called again after a change of the inventory
 * @throws DomainError 409 `busy` as `retryOnInventoryChange`; the errors of the writes
 */
export async function releaseTickets(
  held: HeldTickets,
  prepareWrites: () => Promise<readonly Write[]>,
): Promise<void> {
  await retryOnInventoryChange(async () => tryRelease(held, await prepareWrites()));
}

interface HeldTickets {
  eventId: string;
  items: readonly TierQuantity[];
  shard: number;
}

async function tryRelease(
  { eventId, items, shard }: HeldTickets,
  otherWrites: readonly Write[],
  kept: readonly TierQuantity[] = [],
): Promise<void> {
  const inventory = inventoryOf(await getEvent(eventId));
  const demands = reduceDemands(demandOf(inventory, items), demandOf(inventory, kept));
  const released = demands.filter(({ quantity }) => quantity > 0);
  await transact([...otherWrites, ...releaseInventory(inventory, released, shard)]);
}

/**
 * Runs an operation that reads an event and writes to its inventory, and repeats it when the inventory changes in
 * between.
 * @throws DomainError 409 `busy` with Retry-After when the inventory keeps changing; the errors of `operation`
 */
export function retryOnInventoryChange<Result>(operation: () => Promise<Result>): Promise<Result> {
  return retry(operation, {
    isRetryable: (error) => error instanceof InventoryChanged,
    exhaustedError: () => conflict('busy', 'The event is being changed right now, please try again', 1),
  });
}

/**
 * Chooses the shard of an order: its reservation tries this shard first, and its release returns the tickets to it. A
 * pool with fewer shards reduces the number, evenly: all small numbers divide the range.
 */
export const chooseShard = () => randomIndex(240);

/**
 * Reserves tickets and, in the same transaction, makes other writes. It tries one shard of each pool first, and refuses
 * an order as sold out only after it has read all shards of the pool.
 * @param writes the first tells whether this reservation was made already, by a request whose answer was lost. Its error
 * precedes that of too few tickets, and the errors of the others come after it.
 * @param takenOver tickets that are reserved already; what of them is not needed is released
 * @throws DomainError 409 `sold-out`, `too-few-left`, or `busy` with Retry-After; InventoryChanged; the errors of
 * `writes`
 */
export async function reserveTickets(
  inventory: Inventory,
  { items, shard }: { items: readonly TierQuantity[]; shard: number },
  writes: readonly Write[],
  takenOver: readonly TierQuantity[] = [],
): Promise<void> {
  const allDemands = reduceDemands(demandOf(inventory, items), demandOf(inventory, takenOver));
  const demands = allDemands.filter(({ quantity }) => quantity > 0);
  const excess = allDemands.flatMap(({ pool, quantity }) =>
    quantity < 0 ? [{ pool, quantity: -quantity }] : [],
  );
  const unchanged = allDemands.filter(({ quantity }) => quantity === 0);
  const fixedWrites = [
    ...releaseInventory(inventory, excess, shard),
    ...unchanged.map(({ pool }) => checkInventory(inventory, pool, shard)),
    ...writes.slice(1),
  ];
  // All pools use the same number, so two orders conflict as seldom as with one item.
  const plans = new Map<string, Allocation[]>(
    demands.map(({ pool, quantity }) => [pool.id, [{ shard: shard % pool.shards, quantity }]]),
  );
  const reserve = async () => {
    try {
      const allocations = [...plans].flatMap(([pool, plan]) => reserveInventory(inventory, pool, plan));
      if (allocations.length > maximumAllocations) throw tooBusy();
      await transact([...writes.slice(0, 1), ...allocations, ...fixedWrites]);
    } catch (error) {
      if (!(error instanceof InventoryShort)) throw error;
      const demand = demands.find(({ pool }) => pool.id === error.pool) as Demand;
      plans.set(error.pool, await readAndPlan(inventory, demand, error));
      throw error;
    }
  };
  await retry(reserve, {
    isRetryable: (error) => error instanceof InventoryShort,
    exhaustedError: tooBusy,
  });
}

async function readAndPlan(
  inventory: Inventory,
  { pool, quantity }: Demand,
  shortage: InventoryShort,
): Promise<Allocation[]> {
  if (pool.shards === 1) throw tooFewTickets(pool, shortage.available);
  const inventoryOfPool = { ...inventory, pools: [pool] };
  const [available = []] = await readInventory(inventoryOfPool);
  const plan = planAllocation(available, quantity, randomIndex);
  if (plan) return plan;
  // The shards were not read at the same moment: all may look empty although a ticket was released meanwhile. A
  // snapshot decides.
  const snapshot = await readInventorySnapshot(inventoryOfPool);
  // A concurrent write prevented the snapshot: try any shard again.
  if (!snapshot) return [{ shard: randomIndex(pool.shards), quantity }];
  const [availableInSnapshot = []] = snapshot;
  const finalPlan = planAllocation(availableInSnapshot, quantity, randomIndex);
  if (finalPlan) return finalPlan;
  throw tooFewTickets(
    pool,
    availableInSnapshot.reduce((sum, free) => sum + free, 0),
  );
}

const tooBusy = () => conflict('busy', 'Many others are buying right now, please try again', 1);

function tooFewTickets({ id }: Pool, available: number): DomainError {
  const error =
    available === 0 ? conflict('sold-out', 'Sold out') : conflict('too-few-left', `Only ${available} left`);
  return id === eventPool ? error : aboutTier(id, error);
}

function randomIndex(count: number): number {
  return Math.floor(Math.random() * count);
}
