import * as z from 'zod';
import { type Currency, toNumber } from '../core/money.ts';
import { amount, currency, identifier } from '../core/schemas.ts';
import { eventPool } from '../inventory/inventory.ts';
import type { SoldIn } from '../ledger/ledger.ts';
import type { Event } from './event.ts';

const count = z.int();
const sold = count.meta({ description: 'Paid, and not refunded' });
const money = {
  gross: amount.meta({ description: 'Paid by buyers' }),
  fee: amount.meta({ description: 'The platform’s share' }),
  net: amount.meta({ description: 'The organizer’s share' }),
};
const figures = {
  sold,
  held: count.meta({ description: 'Held for unpaid orders' }),
  available: count,
  ...money,
};

export const eventSummaryView = z
  .object({
    eventId: identifier,
    currency,
    ...figures,
    tiers: z.array(z.object({ tierId: identifier, name: z.string(), ...figures })),
    otherCurrencies: z.array(z.object({ currency, sold, ...money })).meta({
      description:
        'Sold in a currency that the event had before; counted in sold, and not in gross, fee and net',
    }),
  })
  .meta({ id: 'EventSummary' });
export type EventSummary = z.infer<typeof eventSummaryView>;

/**
 * Sums up an event's sales, per tier and in total, for its organizer. `sold` and the amounts come from the ledger: paid
 * orders that hold their tickets. `held` is the rest of the reserved tickets: those of unpaid orders, and of orders paid
 * within the last second. The amounts are those in the event's currency; others are listed by themselves.
 * @param free the free tickets of its pools, by pool id
 * @param orders see ledger/store.ts: a refunded order occurs twice, and the two cancel out
 */
export function toEventSummary(
  event: Event,
  free: ReadonlyMap<string, number>,
  orders: Iterable<SoldIn>,
): EventSummary {
  const totals = new Map(event.tiers.map(({ id }) => [id, { sold: 0, fee: 0n, net: 0n }]));
  const others = new Map<Currency, { sold: number; fee: bigint; net: bigint }>();
  for (const { tierId, quantity, fee, net, currency } of orders) {
    const totalOfTier = totals.get(tierId);
    if (!totalOfTier) continue;
    totalOfTier.sold += quantity;
    const totalOfMoney =
      currency === event.currency ? totalOfTier : (others.get(currency) ?? { sold: 0, fee: 0n, net: 0n });
    if (currency !== event.currency) {
      totalOfMoney.sold += quantity;
      others.set(currency, totalOfMoney);
    }
    totalOfMoney.fee += fee;
    totalOfMoney.net += net;
  }
  const freeOfAll = free.get(eventPool) ?? Number.POSITIVE_INFINITY;
  const tiers = event.tiers.map(({ id, name, quantity }) => {
    const { sold, fee, net } = totals.get(id) ?? { sold: 0, fee: 0n, net: 0n };
    const freeOfTier = free.get(id) ?? 0;
    const held = Math.max(0, quantity - freeOfTier - sold);
    return { tierId: id, name, sold, held, available: Math.min(freeOfTier, freeOfAll), fee, net };
  });
  const amounts = ({ fee, net }: { fee: bigint; net: bigint }, currency = event.currency) => ({
    gross: toNumber(net + fee, currency),
    fee: toNumber(fee, currency),
    net: toNumber(net, currency),
  });
  const total = (of: (tier: (typeof tiers)[number]) => number) =>
    tiers.reduce((sum, tier) => sum + of(tier), 0);
  const totalMoney = tiers.reduce((sum, { fee, net }) => ({ fee: sum.fee + fee, net: sum.net + net }), {
    fee: 0n,
    net: 0n,
  });
  return {
    eventId: event.id,
    currency: event.currency,
    sold: total(({ sold }) => sold),
    held: total(({ held }) => held),
    available: Math.min(
      total(({ tierId }) => free.get(tierId) ?? 0),
      freeOfAll,
    ),
    ...amounts(totalMoney),
    tiers: tiers.map(({ fee, net, ...tier }) => ({ ...tier, ...amounts({ fee, net }) })),
    otherCurrencies: [...others]
      .filter(([, { sold, fee, net }]) => sold !== 0 || fee !== 0n || net !== 0n)
      .map(([currency, { sold, ...money }]) => ({ currency, sold, ...amounts(money, currency) })),
  };
}
