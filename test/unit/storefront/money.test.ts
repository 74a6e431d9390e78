import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatMoney,
  formatPriceRange,
  subtract,
  totalWithFee,
} from '../../../infra/storefront/src/money.ts';
import * as service from '../../../shared/core/money.ts';

describe('the storefront’s total', () => {
  it.each(service.currencies)('equals the service’s total in %s', (currency) => {
    // Prices have at most 8 digits and 8 decimals. A number represents up to 15 digits exactly.
    const decimals = Math.min(service.exponentOf(currency), 8);
    const prices = fc.integer({ min: 1, max: 10_000_000 }).map((units) => units / 10 ** decimals);
    fc.assert(
      fc.property(prices, fc.integer({ min: 1, max: 500 }), (price, quantity) => {
        const minor = service.toMinor(price, currency);
        fc.pre(minor !== undefined);
        const total = service.totalWithFee(service.subtotal(minor as bigint, quantity));
        expect(service.toMinor(totalWithFee(price, quantity, currency), currency)).toBe(total);
      }),
    );
  });
});

describe('an amount', () => {
  // Separators and signs depend on the reader's language; the digits do not.
  it.each([
    ['0.05', 'ETH', '005'],
    ['0.000000000000000001', 'POL', '0000000000000000001'],
    [12.5, 'USDC', '125'],
    [1234.5, 'USD', '123450'],
    [1500, 'JPY', '1500'],
  ])('of %s %s is formatted with every digit', (amount, currency, digits) => {
    expect(formatMoney(amount, currency).replace(/\D/g, '')).toBe(digits);
  });
});

it.each([
  [0.3, 0.1, 'ETH', '0.200000000000000000'],
  [100, 0.01, 'USD', '99.99'],
  [1500, 1500, 'JPY', '0'],
])('%s minus %s in %s is exact', (amount, subtracted, currency, expected) => {
  expect(subtract(amount, subtracted, currency)).toBe(expected);
});

describe('the price of an event', () => {
  const formatRange = (prices: number[], currency = 'USD') =>
    formatPriceRange({ tiers: prices.map((price) => ({ price })), currency }).replace(/US(?=\$)/g, '');

  it.each([
    [[50, 0, 80], 'Free – $80'],
    [[49.5, 120, 60], '$49.50 – $120'],
    [[50, 50], '$50'],
    [[0, 0], 'Free'],
    [[], ''],
  ])('with tiers at %j is "%s"', (prices, text) => expect(formatRange(prices)).toBe(text));

  it('is exact in a cryptocurrency', () => {
    expect(formatRange([0.05, 1.5], 'POL')).toMatch(/^0.05 POL – 1.5 POL$/);
  });
});
