import { type Event, inventoryOf } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import {
  type Allocation,
  eventPool,
  type Inventory,
  type Pool,
  planAllocation,
} from '../../catalog/inventory/inventory.ts';
import {
  countPurchase,
  InventoryChanged,
  InventoryShort,
  type PurchaseLimits,
  readInventory,
  readInventorySnapshot,
  releaseInventory,
  reserveInventory,
  uncountPurchase,
} from '../../catalog/inventory/store.ts';
import { uncountUse } from '../../catalog/promo-codes/store.ts';
import { conflict, type DomainError } from '../../core/errors.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { retry } from '../../runtime/retry.ts';
import type { Order } from '../order.ts';

type TicketRequest = Pick<Order, 'eventId' | 'tierId' | 'userId' | 'quantity' | 'redemption'>;

/**
 * Reserves an order's tickets and, in the same transaction, makes the order's own writes.
 * @param orderWrites the order's writes, given the shard of the allocation
 * @param limits for a new order: the maximum number of the buyer's unpaid orders, and of the buyer's orders with the code
 * @returns the shard to which a release returns the tickets
 * @throws DomainError 409 when too few tickets are left or the buyer has reached a limit; InventoryChanged; the errors
 * of `orderWrites`
 */
export async function reserveOrderTickets(
  event: Event,
  request: TicketRequest,
  orderWrites: (shard: number) => Write[],
  limits: Pick<PurchaseLimits, 'maxOpenOrders' | 'maxPerCode'> = {},
): Promise<number> {
  const tier = event.tiers.find(({ id }) => id === request.tierId);
  const purchaseLimits = {
    maxPerWallet: event.maxPerWallet,
    maxPerPerson: tier?.maxPerPerson ?? 0,
    ...limits,
  };
  return reserveTickets(inventoryOf(event), request.tierId, request.quantity, (shard) => [
    countPurchase(request, purchaseLimits),
    ...orderWrites(shard),
  ]);
}

/**
 * Releases an order's tickets and its use of the code and, in the same transaction, makes other writes.
 * @throws DomainError 409 `busy` as `retryOnInventoryChange`; the errors of `writes`
 */
export async function releaseOrderTickets(order: Order, ...writes: Write[]): Promise<void> {
  await retryOnInventoryChange(order.eventId, async (event) => {
    const inventory = inventoryOf(event);
    const poolIds = inventory.pools
      .map(({ id }) => id)
      .filter((id) => id === order.tierId || id === eventPool);
    const isCountedAsOpen = order.paymentStatus === 'PENDING' && order.countedOpen?.includes('event');
    await transact([
      ...writes,
      ...releaseInventory(inventory, poolIds, order.shard, order.quantity),
      uncountPurchase(order, isCountedAsOpen),
      ...uncountUse(order),
    ]);
  });
}

/**
 * Runs an operation on an event. When the event's inventory changes in between, reads the event again and repeats the
 * operation.
 * @param initialEvent the event for the first run, if it was read already
 * @throws DomainError 409 `busy` with Retry-After when the inventory keeps changing; the errors of `operation`
 */
export async function retryOnInventoryChange<Result>(
  eventId: string,
  operation: (event: Event) => Promise<Result>,
  initialEvent?: Event,
): Promise<Result> {
  let event = initialEvent;
  const run = () => {
    const knownEvent = event;
    event = undefined;
    return knownEvent ? operation(knownEvent) : getEvent(eventId).then(operation);
  };
  return retry(run, {
    isRetryable: (error) => error instanceof InventoryChanged,
    exhaustedError: () => conflict('busy', 'The event is being changed right now, please try again', 1),
  });
}

/**
 * Reserves tickets of a tier and, in the same transaction, makes other writes. It tries a random shard first, and
 * refuses an order as sold out only after it has read all shards.
 * @param otherWrites the other writes, given the shard of the allocation
 * @returns the shard to which a release returns the tickets
 * @throws DomainError 409 `sold-out`, `too-few-left`, or `busy` with Retry-After; InventoryChanged; the errors of
 * `otherWrites`
 */
export async function reserveTickets(
  inventory: Inventory,
  tierId: string,
  quantity: number,
  otherWrites: (shard: number) => Write[],
): Promise<number> {
  const pools = inventory.pools.filter(({ id }) => id === tierId || id === eventPool);
  const plans = new Map(
    pools.map((pool) => [pool.id, [{ shard: randomIndex(pool.shards), quantity }] as Allocation[]]),
  );
  const reserve = async () => {
    const shard = plans.get(tierId)?.[0]?.shard ?? 0;
    try {
      const allocations = [...plans].flatMap(([pool, plan]) => reserveInventory(inventory, pool, plan));
      await transact([...allocations, ...otherWrites(shard)]);
      return shard;
    } catch (error) {
      if (!(error instanceof InventoryShort)) throw error;
      const pool = pools.find(({ id }) => id === error.pool) as Pool;
      plans.set(pool.id, await readAndPlan(inventory, pool, quantity, error));
      throw error;
    }
  };
  return retry(reserve, {
    isRetryable: (error) => error instanceof InventoryShort,
    exhaustedError: () => conflict('busy', 'Many others are buying right now, please try again', 1),
  });
}

async function readAndPlan(
  inventory: Inventory,
  pool: Pool,
  quantity: number,
  shortage: InventoryShort,
): Promise<Allocation[]> {
  if (pool.shards === 1) throw tooFewTickets(shortage.available);
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
  throw tooFewTickets(availableInSnapshot.reduce((sum, free) => sum + free, 0));
}

function tooFewTickets(available: number): DomainError {
  return available === 0
    ? conflict('sold-out', 'Sold out')
    : conflict('too-few-left', `Only ${available} left`);
}

function randomIndex(count: number): number {
  return Math.floor(Math.random() * count);
}
