import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Currency,
  currencies,
  subtotal,
  toDecimal,
  toMinor,
  toNumber,
  totalWithFee,
} from '../../../shared/core/money.ts';

const currency = fc.constantFrom(...currencies);
const minor = fc.bigInt({ min: 0n, max: 10n ** 30n });
const quantity = fc.integer({ min: 1, max: 10_000_000 });

describe('the total with the fee', () => {
  it.each<[Currency, string, number, string]>([
    ['USD', '100', 1, '102.5'],
    ['USD', '0.01', 1, '0.01'],
    ['USD', '0.2', 1, '0.21'],
    ['USD', '19.99', 3, '61.47'],
    ['NGN', '5000', 2, '10250'],
    ['KWD', '1.234', 1, '1.265'],
    ['JPY', '20', 1, '21'],
    ['JPY', '19', 1, '19'],
    ['XOF', '1000', 3, '3075'],
    ['ETH', '0.05', 3, '0.15375'],
    ['POL', '0.000000000000000001', 1, '0.000000000000000001'],
    ['USDC', '0.00002', 1, '0.000021'],
    ['USD', '0', 5, '0'],
  ])('%s %s x %i is %s', (currency, price, quantity, expected) => {
    const total = totalWithFee(subtotal(toMinor(price, currency) as bigint, quantity));
    expect(toDecimal(total, currency)).toBe(expected);
  });

  it('is price x quantity x 1.025, rounded half up to the minor unit', () => {
    fc.assert(
      fc.property(minor, quantity, (price, quantity) => {
        const errorInThousandths =
          totalWithFee(subtotal(price, quantity)) * 1000n - price * BigInt(quantity) * 1025n;
        expect(errorInThousandths).toBeGreaterThan(-500n);
        expect(errorInThousandths).toBeLessThanOrEqual(500n);
      }),
    );
  });

  it('never decreases when the price or the quantity increases', () => {
    fc.assert(
      fc.property(minor, quantity, minor, quantity, (price, quantity, addedPrice, addedQuantity) => {
        const total = totalWithFee(subtotal(price, quantity));
        expect(totalWithFee(subtotal(price + addedPrice, quantity))).toBeGreaterThanOrEqual(total);
        expect(totalWithFee(subtotal(price, quantity + addedQuantity))).toBeGreaterThanOrEqual(total);
      }),
    );
  });

  it('is never less than the organizer’s share', () => {
    fc.assert(
      fc.property(minor, quantity, (price, quantity) => {
        expect(totalWithFee(subtotal(price, quantity))).toBeGreaterThanOrEqual(subtotal(price, quantity));
      }),
    );
  });
});

describe('a decimal amount', () => {
  it.each<[number | string, Currency, bigint]>([
    [0.29, 'USD', 29n],
    [1.005, 'KWD', 1005n],
    [1e-7, 'ETH', 10n ** 11n],
    [1e21, 'JPY', 10n ** 21n],
    ['2.50', 'NGN', 250n],
    ['2.0', 'XOF', 2n],
    [0, 'USDT', 0n],
  ])('%s %s is %s minor units', (value, currency, expected) => {
    expect(toMinor(value, currency)).toBe(expected);
  });

  it.each<[number | string, Currency, string]>([
    [0.1 + 0.2, 'USD', 'more decimals than the currency has'],
    [1.5, 'JPY', 'decimals of a currency without decimals'],
    [5e-324, 'ETH', 'less than one minor unit'],
    [-1, 'USD', 'below zero'],
    [Number.NaN, 'USD', 'not a number'],
    [Number.POSITIVE_INFINITY, 'USD', 'infinite'],
    ['1e+999999999', 'USD', 'an exponent that is too large'],
    ['', 'USD', 'empty'],
    ['1,000', 'USD', 'a thousands separator'],
    ['1.', 'USD', 'no digit after the point'],
    ['0x10', 'USD', 'hexadecimal'],
  ])('%s %s is refused: %s', (value, currency) => {
    expect(toMinor(value, currency)).toBeUndefined();
  });

  it('converts back to the same minor units', () => {
    fc.assert(
      fc.property(minor, currency, (amount, currency) => {
        expect(toMinor(toDecimal(amount, currency), currency)).toBe(amount);
      }),
    );
  });

  it('keeps a negative sign', () => {
    expect(toDecimal(-105n, 'USD')).toBe('-1.05');
    expect(toDecimal(-5n, 'USD')).toBe('-0.05');
  });

  it('becomes the shortest JSON number', () => {
    expect(toNumber(10250n, 'USD')).toBe(102.5);
    expect(toNumber(50_000_000_000_000_000n, 'ETH')).toBe(0.05);
    expect(toNumber(3075n, 'XOF')).toBe(3075);
  });
});
