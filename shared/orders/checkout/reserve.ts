import { conflict, type DomainError } from '../../core/errors.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { type Event, saleOf } from '../../events/event.ts';
import { getEvent } from '../../events/store.ts';
import { eventPool, type Pool, planTaking, type Sale, type Taking } from '../../inventory/inventory.ts';
import {
  countPurchase,
  giveBackStock,
  readSale,
  readSaleAtOnce,
  SaleChanged,
  StockShort,
  takeStock,
  uncountPurchase,
} from '../../inventory/store.ts';
import { pause } from '../../runtime/retry.ts';
import type { Order } from '../order.ts';

type Seats = Pick<Order, 'eventId' | 'tierId' | 'userId' | 'quantity'>;

/**
 * Takes an order's tickets out of the stock and, in the same transaction, does the order's own writes.
 * @param own the order's writes, given the shard that the tickets come from
 * @returns the shard to give them back to
 * @throws DomainError 409 when there are too few, or the buyer's caps are reached; SaleChanged; what `own` refuses
 */
export async function takeSeats(
  event: Event,
  seats: Seats,
  own: (shard: number) => Write[],
): Promise<number> {
  const tier = event.tiers.find(({ id }) => id === seats.tierId);
  const caps = { maxPerWallet: event.maxPerWallet, maxPerPerson: tier?.maxPerPerson ?? 0 };
  return takeTickets(saleOf(event), seats.tierId, seats.quantity, (shard) => [
    countPurchase(seats, caps),
    ...own(shard),
  ]);
}

/** Puts an order's tickets back and, in the same transaction, does other writes. @throws what they refuse */
export async function giveBackSeats(order: Order, ...writes: Write[]): Promise<void> {
  await withEvent(order.eventId, async (event) => {
    const sale = saleOf(event);
    const pools = sale.pools.map(({ id }) => id).filter((id) => id === order.tierId || id === eventPool);
    await transact([
      ...writes,
      ...giveBackStock(sale, pools, order.shard, order.quantity),
      uncountPurchase(order),
    ]);
  });
}

/** Reads the event and decides; anew whenever what it has on sale changed in between. */
export async function withEvent<Result>(
  eventId: string,
  decide: (event: Event) => Promise<Result>,
  known?: Event,
): Promise<Result> {
  for (let attempt = 1, event = known; attempt <= 8; attempt++, event = undefined) {
    try {
      return await decide(event ?? (await getEvent(eventId)));
    } catch (error) {
      if (!(error instanceof SaleChanged)) throw error;
      await pause(attempt);
    }
  }
  throw conflict('busy', 'The event is being changed right now, please try again', 1);
}

/** Tries before a buyer is told that too many others are at it. */
export const maximumTries = 10;

/**
 * Takes tickets of a tier and, in the same transaction, does what they are taken for. Begins with a shard
 * chosen at random; "sold out" is said only once all shards were looked at.
 * @param others the writes that belong to the taking, given the shard that tickets come from
 * @returns the shard to give the tickets back to, should it come to that
 * @throws DomainError 409 `Sold out`, `Only N left`, or `busy` with Retry-After; SaleChanged; what `others` refuse
 */
export async function takeTickets(
  sale: Sale,
  tierId: string,
  quantity: number,
  others: (shard: number) => Write[],
): Promise<number> {
  const pools = sale.pools.filter(({ id }) => id === tierId || id === eventPool);
  const plans = new Map(
    pools.map((pool) => [pool.id, [{ shard: random(pool.shards), quantity }] as Taking[]]),
  );
  for (let attempt = 1; attempt <= maximumTries; attempt++) {
    const shard = plans.get(tierId)?.[0]?.shard ?? 0;
    try {
      const takings = [...plans].flatMap(([pool, plan]) => takeStock(sale, pool, plan));
      await transact([...takings, ...others(shard)]);
      return shard;
    } catch (error) {
      if (!(error instanceof StockShort)) throw error;
      const pool = pools.find(({ id }) => id === error.pool) as Pool;
      plans.set(pool.id, await planAnew(sale, pool, quantity, error));
      if (attempt > 1) await pause(attempt);
    }
  }
  throw conflict('busy', 'Many others are buying right now, please try again', 1);
}

async function planAnew(sale: Sale, pool: Pool, quantity: number, short: StockShort): Promise<Taking[]> {
  if (pool.shards === 1) throw shortage(short.available);
  const own = { ...sale, pools: [pool] };
  const [seen = []] = await readSale(own);
  const plan = planTaking(seen, quantity, random);
  if (plan) return plan;
  // Read one after the other, shards may all look empty while a ticket came back to one: look again at once.
  const together = await readSaleAtOnce(own);
  if (!together) return [{ shard: random(pool.shards), quantity }];
  const [available = []] = together;
  const finalPlan = planTaking(available, quantity, random);
  if (finalPlan) return finalPlan;
  throw shortage(available.reduce((sum, free) => sum + free, 0));
}

function shortage(left: number): DomainError {
  return left === 0 ? conflict('sold-out', 'Sold out') : conflict('too-few-left', `Only ${left} left`);
}

function random(count: number): number {
  return Math.floor(Math.random() * count);
}
