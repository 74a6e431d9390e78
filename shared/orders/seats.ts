import { transact, type Write } from '../dynamo/write.ts';
import { conflict } from '../errors.ts';
import { type Event, saleOf } from '../events/event.ts';
import { getEvent } from '../events/store.ts';
import { pause } from '../pause.ts';
import { countPurchase, uncountPurchase } from '../stock/buyer.ts';
import { eventPool } from '../stock/stock.ts';
import { giveBackStock, SaleChanged } from '../stock/store.ts';
import { takeTickets } from '../stock/take.ts';
import type { Order } from './order.ts';

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
