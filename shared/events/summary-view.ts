import * as z from 'zod';
import { toNumber } from '../core/money.ts';
import { amount, currency, identifier } from '../core/schemas.ts';
import { eventPool } from '../inventory/inventory.ts';
import type { SoldOrder } from '../ledger/ledger.ts';
import type { Event } from './event.ts';

const count = z.int();
const figures = {
  sold: count.meta({ description: 'Paid, and not refunded' }),
  held: count.meta({ description: 'Waiting for their payment' }),
  available: count,
  gross: amount.meta({ description: 'What buyers paid' }),
  fee: amount.meta({ description: 'What the platform keeps of it' }),
  net: amount.meta({ description: 'What the organizer gets' }),
};

export const eventSummaryView = z
  .object({
    eventId: identifier,
    currency,
    ...figures,
    tiers: z.array(z.object({ tierId: identifier, name: z.string(), ...figures })),
  })
  .meta({ id: 'EventSummary' });
export type EventSummary = z.infer<typeof eventSummaryView>;

/**
 * What an event sold, per tier and in all, as its organizer sees it.
 * `sold` and the money come from the ledger: orders that are paid and have their seats. `held` is what else is
 * taken out of the stock: mostly orders that wait for their payment, and those paid within the last second.
 * `gross` is what buyers paid, `fee` what the platform keeps of it, `net` what the organizer gets.
 * @param free how many tickets its pools have free, by their ids
 * @param orders see ledger/store.ts: refunded ones stand there twice, and cancel out
 */
export function toEventSummary(
  event: Event,
  free: ReadonlyMap<string, number>,
  orders: Iterable<SoldOrder>,
): EventSummary {
  const books = new Map(event.tiers.map(({ id }) => [id, { sold: 0, fee: 0n, net: 0n }]));
  for (const { tierId, quantity, fee, net } of orders) {
    const book = books.get(tierId);
    if (!book) continue;
    book.sold += quantity;
    book.fee += fee;
    book.net += net;
  }
  const freeOfAll = free.get(eventPool) ?? Number.POSITIVE_INFINITY;
  const tiers = event.tiers.map(({ id, name, quantity }) => {
    const { sold, fee, net } = books.get(id) ?? { sold: 0, fee: 0n, net: 0n };
    const freeOfTier = free.get(id) ?? 0;
    const held = Math.max(0, quantity - freeOfTier - sold);
    return { tierId: id, name, sold, held, available: Math.min(freeOfTier, freeOfAll), fee, net };
  });
  const money = ({ fee, net }: { fee: bigint; net: bigint }) => ({
    gross: toNumber(net + fee, event.currency),
    fee: toNumber(fee, event.currency),
    net: toNumber(net, event.currency),
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
    ...money(totalMoney),
    tiers: tiers.map(({ fee, net, ...tier }) => ({ ...tier, ...money({ fee, net }) })),
  };
}
