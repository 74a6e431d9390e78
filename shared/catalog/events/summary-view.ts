import * as z from 'zod';
import { dayOf } from '../../core/day.ts';
import { type Currency, toNumber } from '../../core/money.ts';
import { amount, currency, identifier } from '../../core/schemas.ts';
import type { PostedOrder, SoldItem } from '../../money/ledger/ledger.ts';
import { eventPool } from '../inventory/inventory.ts';
import { type Event, isAddOn, tierKinds } from './event.ts';

const count = z.int();
const money = {
  gross: amount.meta({ description: 'The amount that buyers paid' }),
  fee: amount.meta({ description: 'The platform’s share of `gross`' }),
  net: amount.meta({ description: 'The organizer’s share of `gross`' }),
  discount: amount.meta({ description: 'The discounts by codes, not included in `gross`', examples: [10] }),
};
const sold = count.meta({ description: 'The number of tickets that are paid and not refunded' });
const orderCount = count.meta({ description: 'The number of orders that are paid and not refunded' });
const figures = {
  sold,
  held: count.meta({ description: 'The number of tickets held for unpaid orders' }),
  available: count.meta({ description: 'The number of tickets that can be bought now' }),
  ...money,
};

export const eventSummaryView = z
  .object({
    eventId: identifier,
    currency,
    ...figures,
    ordersPlaced: count.meta({
      description: 'The number of orders, also of those that were not paid in time',
    }),
    ordersPaid: count.meta({
      description: 'The number of orders that were paid or free, also of those refunded later',
    }),
    tiers: z.array(z.object({ tierId: identifier, name: z.string(), kind: z.enum(tierKinds), ...figures })),
    days: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: 'In the time zone of the event', examples: ['2031-05-01'] }),
          tiers: z.array(
            z.object({
              tierId: identifier,
              sold: count.meta({ description: 'The number of tickets paid on this day' }),
              refunded: count.meta({ description: 'The number of tickets refunded on this day' }),
            }),
          ),
        }),
      )
      .meta({ description: 'The days with sales or refunds, and their tiers, earliest first' }),
    codes: z.array(z.object({ code: z.string(), orders: orderCount, sold, ...money })).meta({
      description: 'Sales with codes, in the event’s currency',
    }),
    otherCurrencies: z.array(z.object({ currency, sold, ...money })).meta({
      description:
        'Sales in the event’s earlier currencies. Their tickets are included in the event’s `sold`, but their amounts are not included in its `gross`, `fee`, `net` and `discount`',
    }),
  })
  .meta({ id: 'EventSummary' });
export type EventSummary = z.infer<typeof eventSummaryView>;

/** The totals of orders in one currency. Amounts are in minor units. */
interface Total {
  orders: number;
  sold: number;
  fee: bigint;
  net: bigint;
  discount: bigint;
}

/**
 * Sums up an event's sales, per tier, per code and in total, for its organizer. `sold` and the amounts come from the
 * ledger and cover the paid orders that are not refunded. `held` counts the other reserved tickets: those of unpaid
 * orders, and for about a second those of orders just paid, which the ledger does not contain yet. The amounts are in the
 * event's currency; sales in another currency are listed separately.
 * @param freeTickets the number of tickets that are not reserved, by pool: a tier's id, or `eventPool`
 * @param orders from the ledger; a refunded order occurs a second time with negative quantity and amounts
 */
export function toEventSummary(
  event: Event,
  freeTickets: ReadonlyMap<string, number>,
  orders: Iterable<PostedOrder>,
): Omit<EventSummary, 'ordersPlaced'> {
  let ordersPaid = 0;
  const soldByTier = new Map(event.tiers.map(({ id }) => [id, 0]));
  const tierTotals = new Map<string, Total>();
  const codeTotals = new Map<string, Total>();
  const otherTotals = new Map<Currency, Total>();
  const days = new Map<string, Map<string, DayCount>>();
  for (const { items, currency, code, isPart, at } of orders) {
    const known = items.filter(({ tierId }) => soldByTier.has(tierId));
    for (const { tierId, quantity } of known) {
      soldByTier.set(tierId, (soldByTier.get(tierId) ?? 0) + quantity);
    }
    countDay(days, dayOf(at, event.timezone), known);
    if (items.some(({ quantity }) => quantity > 0)) ordersPaid++;
    if (currency !== event.currency) addItems(otherTotals, currency, known);
    else {
      for (const item of known) addItems(tierTotals, item.tierId, [item]);
      if (code) addItems(codeTotals, code, known, isPart);
    }
  }
  const freeInEventPool = freeTickets.get(eventPool) ?? Number.POSITIVE_INFINITY;
  const tiers = event.tiers.map(({ id: tierId, name, kind, quantity }) => {
    const sold = soldByTier.get(tierId) ?? 0;
    const freeOfTier = freeTickets.get(tierId) ?? 0;
    const held = Math.max(0, quantity - freeOfTier - sold);
    const available = kind === 'addon' ? freeOfTier : Math.min(freeOfTier, freeInEventPool);
    return {
      tierId,
      name,
      kind,
      sold,
      held,
      available,
      ...toAmounts(tierTotals.get(tierId), event.currency),
    };
  });
  // The event's own counts are of tickets only; its amounts include add-ons.
  const tickets = tiers.filter((tier) => !isAddOn(tier));
  const sumTiers = (getCount: (tier: (typeof tiers)[number]) => number) =>
    tickets.reduce((sum, tier) => sum + getCount(tier), 0);
  const eventTotal = [...tierTotals.values()].reduce(addTotals, zeroTotal);
  return {
    eventId: event.id,
    currency: event.currency,
    sold: sumTiers(({ sold }) => sold),
    held: sumTiers(({ held }) => held),
    available: Math.min(
      sumTiers(({ tierId }) => freeTickets.get(tierId) ?? 0),
      freeInEventPool,
    ),
    ...toAmounts(eventTotal, event.currency),
    ordersPaid,
    tiers,
    days: [...days]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, counts]) => ({
        date,
        tiers: [...counts].map(([tierId, count]) => ({ tierId, ...count })),
      })),
    codes: [...codeTotals]
      .filter(([, total]) => hasSales(total))
      .map(([code, total]) => ({
        code,
        orders: total.orders,
        sold: total.sold,
        ...toAmounts(total, event.currency),
      })),
    otherCurrencies: [...otherTotals]
      .filter(([, total]) => hasSales(total))
      .map(([currency, total]) => ({ currency, sold: total.sold, ...toAmounts(total, currency) })),
  };
}

/** The tickets of a tier that were paid and refunded on a day. */
interface DayCount {
  sold: number;
  refunded: number;
}

/** Adds items of one order to the counts of a day. */
function countDay(days: Map<string, Map<string, DayCount>>, date: string, items: readonly SoldItem[]): void {
  const counts = days.get(date) ?? new Map<string, DayCount>();
  if (items.length > 0) days.set(date, counts);
  for (const { tierId, quantity } of items) {
    const { sold, refunded } = counts.get(tierId) ?? { sold: 0, refunded: 0 };
    counts.set(tierId, { sold: sold + Math.max(0, quantity), refunded: refunded + Math.max(0, -quantity) });
  }
}

const zeroTotal: Total = { orders: 0, sold: 0, fee: 0n, net: 0n, discount: 0n };

/** Adds items of one order. @param isPart whether it is the refund of a part, after which the order counts as before */
function addItems<Key>(
  totals: Map<Key, Total>,
  key: Key,
  items: readonly SoldItem[],
  isPart?: boolean,
): void {
  if (items.length === 0) return;
  const itemTotals = items.map(({ quantity, fee, net, discount = 0n }) => ({
    orders: 0,
    sold: quantity,
    fee,
    net,
    discount,
  }));
  const order = { ...zeroTotal, orders: isPart ? 0 : Math.sign(items[0]?.quantity ?? 0) };
  totals.set(key, [totals.get(key) ?? zeroTotal, order, ...itemTotals].reduce(addTotals));
}

function addTotals(a: Total, b: Total): Total {
  return {
    orders: a.orders + b.orders,
    sold: a.sold + b.sold,
    fee: a.fee + b.fee,
    net: a.net + b.net,
    discount: a.discount + b.discount,
  };
}

function hasSales({ sold, fee, net }: Total): boolean {
  return sold !== 0 || fee !== 0n || net !== 0n;
}

function toAmounts({ fee, net, discount }: Total = zeroTotal, currency: Currency) {
  return {
    gross: toNumber(net + fee, currency),
    fee: toNumber(fee, currency),
    net: toNumber(net, currency),
    discount: toNumber(discount, currency),
  };
}
