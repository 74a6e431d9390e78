import { describe, expect, it } from 'vitest';
import { toEventSummary } from '../../../shared/catalog/events/summary-view.ts';
import { eventPool } from '../../../shared/catalog/inventory/inventory.ts';
import type { Currency } from '../../../shared/core/money.ts';
import type { SoldOrderWithCurrency } from '../../../shared/money/ledger/ledger.ts';
import { buildEvent, twoTiers } from './event-fixtures.ts';

/** Has 30 tickets of tier A and 20 of tier B. */
const event = buildEvent(twoTiers);
const [a, b] = event.tiers.map(({ id }) => id) as [string, string];

function sold(
  tierId: string,
  quantity: number,
  net: bigint,
  fee: bigint,
  currency: Currency = 'USD',
): SoldOrderWithCurrency {
  return { orderId: `${tierId} ${quantity}`, tierId, quantity, net, fee, currency };
}

describe('toEventSummary', () => {
  it('sums up the orders of each tier and of the event', () => {
    const freeTickets = new Map([
      [a, 20],
      [b, 20],
    ]);
    const orders = [sold(a, 4, 2000n, 50n), sold(a, 2, 1000n, 25n), sold(a, -2, -1000n, -25n)];
    expect(toEventSummary(event, freeTickets, orders)).toEqual({
      eventId: event.id,
      currency: 'USD',
      sold: 4,
      held: 6,
      available: 40,
      gross: 20.5,
      fee: 0.5,
      net: 20,
      discount: 0,
      tiers: [
        {
          tierId: a,
          name: 'A',
          sold: 4,
          held: 6,
          available: 20,
          gross: 20.5,
          fee: 0.5,
          net: 20,
          discount: 0,
        },
        { tierId: b, name: 'B', sold: 0, held: 0, available: 20, gross: 0, fee: 0, net: 0, discount: 0 },
      ],
      codes: [],
      otherCurrencies: [],
    });
  });

  it('lists amounts of another currency separately', () => {
    const freeTickets = new Map([
      [a, 20],
      [b, 20],
    ]);
    const refunded = [sold(a, 3, 900n, 23n, 'GHS'), sold(a, -3, -900n, -23n, 'GHS')];
    const orders = [sold(a, 4, 2000n, 50n), sold(b, 2, 500_000n, 12_500n, 'NGN'), ...refunded];
    const summary = toEventSummary(event, freeTickets, orders);
    expect(summary).toMatchObject({ sold: 6, gross: 20.5, fee: 0.5, net: 20 });
    expect(summary.tiers[1]).toMatchObject({ sold: 2, gross: 0, fee: 0, net: 0 });
    expect(summary.otherCurrencies).toEqual([
      { currency: 'NGN', sold: 2, gross: 5125, fee: 125, net: 5000, discount: 0 },
    ]);
  });

  it('limits the available tickets of a tier to those of the event', () => {
    const freeTickets = new Map([
      [a, 20],
      [b, 5],
      [eventPool, 12],
    ]);
    const { available, tiers } = toEventSummary(event, freeTickets, []);
    expect([available, ...tiers.map((tier) => tier.available)]).toEqual([12, 12, 5]);
  });

  it('never reports negative holds when the inventory was read before a sale', () => {
    const freeTickets = new Map([
      [a, 30],
      [b, 20],
    ]);
    expect(toEventSummary(event, freeTickets, [sold(a, 1, 500n, 13n)]).tiers[0]).toMatchObject({
      sold: 1,
      held: 0,
    });
  });
});
