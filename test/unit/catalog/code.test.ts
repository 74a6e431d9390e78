import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Code,
  codeText,
  computeDiscounts,
  isValidForTier,
  requireValid,
  requireWithinLimits,
  revealsTier,
} from '../../../shared/catalog/promo-codes/code.ts';
import { type Currency, percentOf } from '../../../shared/core/money.ts';

const now = Date.parse('2027-02-01T12:00:00.000Z');

function buildCode(fields: Partial<Code> = {}): Code {
  return {
    eventId: 'event',
    code: 'TEST',
    kind: 'percent',
    value: '10',
    tierIds: [],
    active: true,
    version: 1,
    uses: 0,
    totalDiscount: 0n,
    overLimit: 0,
    createdAt: '2027-01-01T00:00:00.000Z',
    updatedAt: '2027-01-01T00:00:00.000Z',
    ...fields,
  };
}

/** Returns the discount on an order of one item. */
function discountOn(code: Code, unitPrice: bigint, quantity: number, currency: Currency) {
  return computeDiscounts(code, [{ tierId: 'floor', quantity, unitPrice }], currency)[0];
}

describe('the text of a code', () => {
  it.each([
    ['early-bird', 'EARLY-BIRD'],
    [' Vip2030 ', 'VIP2030'],
    ['a1', 'A1'],
    ['x'.repeat(40), 'X'.repeat(40)],
    ['ab\n', 'AB'],
  ])('%j is normalized to %s', (entered, stored) => {
    expect(codeText.parse(entered)).toBe(stored);
  });

  // Converting to upper case turns ß into SS, ı into I, the Kelvin sign into K and ſ into S.
  it.each([
    'a',
    '',
    'x'.repeat(41),
    'a b',
    'a_b',
    'straße',
    'ıı',
    '\u212A\u212A',
    'ſſ',
    'ＶＩＰ',
    'a\u0301bc',
  ])('is refused: %j', (entered) => {
    expect(codeText.safeParse(entered).success).toBe(false);
  });
});

describe('the discount', () => {
  it.each<[Partial<Code>, bigint, number, Currency, bigint]>([
    [{ kind: 'percent', value: '10' }, 5_000n, 2, 'NGN', 1_000n],
    [{ kind: 'percent', value: '12.5' }, 99n, 1, 'USD', 12n],
    [{ kind: 'percent', value: '50' }, 1n, 1, 'USD', 1n],
    [{ kind: 'percent', value: '33.33' }, 100n, 3, 'USD', 100n],
    [{ kind: 'percent', value: '100' }, 5_001n, 3, 'JPY', 15_003n],
    [{ kind: 'percent', value: '33.33' }, 1_000n, 1, 'JPY', 333n],
    [{ kind: 'percent', value: '0.01' }, 10n ** 18n + 5_000n, 1, 'ETH', 10n ** 14n + 1n],
    [{ kind: 'amount', value: '10' }, 5_000n, 2, 'NGN', 1_000n],
    [{ kind: 'amount', value: '500' }, 5_000n, 2, 'NGN', 10_000n],
    [{ kind: 'amount', value: '10' }, 5n, 1, 'JPY', 5n],
    [{ kind: 'amount', value: '1e-18' }, 10n ** 18n, 1, 'ETH', 1n],
    [{ kind: 'price', value: '30' }, 5_000n, 3, 'USD', 6_000n],
    [{ kind: 'price', value: '0' }, 5_000n, 3, 'USD', 15_000n],
    [{ kind: 'price', value: '60' }, 5_000n, 3, 'USD', 0n],
    [{ kind: 'access', value: undefined }, 5_000n, 3, 'USD', 0n],
  ])('of %j on %i × %i %s is %i', (fields, price, quantity, currency, discount) => {
    expect(discountOn(buildCode(fields), price, quantity, currency)).toBe(discount);
  });

  it('is never negative nor more than the tickets cost', () => {
    const value = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => `${hundredths / 100}`);
    const kind = fc.constantFrom('percent', 'amount', 'price', 'access');
    const price = fc.bigInt({ min: 0n, max: 10n ** 20n });
    const inputs = [kind, value, price, fc.integer({ min: 1, max: 500 })] as const;
    fc.assert(
      fc.property(...inputs, (kind, value, price, quantity) => {
        const code = buildCode({ kind: kind as Code['kind'], value });
        const discount = discountOn(code, price, quantity, 'USD');
        expect(discount !== undefined && discount >= 0n && discount <= price * BigInt(quantity)).toBe(true);
      }),
    );
  });

  it('is refused when its amount has more decimals than the event’s new currency', () => {
    expect(() => discountOn(buildCode({ kind: 'amount', value: '0.5' }), 100n, 1, 'JPY')).toThrow(
      expect.objectContaining({ code: 'discount-expired' }),
    );
  });
});

describe('the discount on several items', () => {
  const items = [
    { tierId: 'adult', quantity: 2, unitPrice: 1_000n },
    { tierId: 'child', quantity: 1, unitPrice: 500n },
    { tierId: 'vip', quantity: 1, unitPrice: 5_000n },
  ];

  it.each<[Partial<Code>, bigint[]]>([
    [{ kind: 'percent', value: '10' }, [200n, 50n, 500n]],
    [{ kind: 'percent', value: '10', tierIds: ['adult', 'child'] }, [200n, 50n, 0n]],
    // The remainders of a division by 7,500 decide: 2.666…, 0.666…, 6.666… of 10.
    [{ kind: 'amount', value: '0.1' }, [3n, 1n, 6n]],
    [{ kind: 'amount', value: '100', tierIds: ['child'] }, [0n, 500n, 0n]],
    [{ kind: 'price', value: '7' }, [600n, 0n, 4_300n]],
  ])('of %o is divided among them: %o', (fields, discounts) => {
    expect(computeDiscounts(buildCode(fields), items, 'USD')).toEqual(discounts);
  });

  it('sums to the discount on the whole, and exceeds no item’s price', () => {
    const item = fc.record({
      tierId: fc.constantFrom('a', 'b'),
      quantity: fc.integer({ min: 1, max: 20 }),
      unitPrice: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    });
    const percent = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => `${hundredths / 100}`);
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 10 }), percent, (items, value) => {
        const prices = items.map(({ unitPrice, quantity }) => unitPrice * BigInt(quantity));
        const whole = prices.reduce((sum, price) => sum + price, 0n);
        const discounts = computeDiscounts(buildCode({ kind: 'percent', value }), items, 'USD');
        expect(discounts.reduce((sum, discount) => sum + discount, 0n)).toBe(percentOf(whole, value));
        expect(discounts.every((discount, index) => discount <= (prices[index] ?? 0n))).toBe(true);
      }),
    );
  });
});

describe('a code', () => {
  it.each([
    ['access', [], true],
    ['access', ['vip'], true],
    ['access', ['floor'], false],
    ['percent', [], false],
    ['percent', ['vip'], true],
    ['percent', ['floor'], false],
  ] as const)('of kind %s for the tiers %j shows the hidden tier vip: %s', (kind, tierIds, isRevealed) => {
    expect(revealsTier(buildCode({ kind, tierIds: [...tierIds] }), { id: 'vip' })).toBe(isRevealed);
  });

  it('is valid for all tiers, or only for the tiers that it names', () => {
    expect(isValidForTier(buildCode(), { id: 'vip' })).toBe(true);
    expect(isValidForTier(buildCode({ tierIds: ['floor'] }), { id: 'vip' })).toBe(false);
  });

  it.each<Partial<Code>>([
    {},
    { validUntil: '2027-02-01T12:00:00.000Z' },
    { validFrom: '2027-02-01T12:00:00.000Z' },
  ])('with %j is valid', (fields) => {
    expect(() => requireValid(buildCode(fields), now)).not.toThrow();
  });

  it.each<[Partial<Code>, string]>([
    [{ active: false }, 'discount-expired'],
    [{ validUntil: '2027-02-01T11:59:59.999Z' }, 'discount-expired'],
    [{ validFrom: '2027-02-01T12:00:00.001Z' }, 'discount-not-started'],
    [{ validFrom: '2027-02-01T12:00:00.001Z', active: false }, 'discount-expired'],
  ])('with %j is refused with %s', (fields, errorCode) => {
    expect(() => requireValid(buildCode(fields), now)).toThrow(expect.objectContaining({ code: errorCode }));
  });

  it.each<[string, Partial<Code>, bigint, boolean]>([
    ['any order when it has no limits', {}, 10n ** 9n, true],
    ['the last use', { maxUses: 3, uses: 2 }, 1n, true],
    ['no use after the last', { maxUses: 3, uses: 3 }, 1n, false],
    ['no use after an overrun', { maxUses: 3, uses: 4, overLimit: 1 }, 1n, false],
    ['a discount of the remaining budget', { budget: '10', totalDiscount: 900n }, 100n, true],
    ['no discount above the remaining budget', { budget: '10', totalDiscount: 900n }, 101n, false],
    [
      'an order without a discount when the budget is spent',
      { budget: '10', totalDiscount: 1_000n },
      0n,
      true,
    ],
  ])('allows %s', (_, fields, discount, isAllowed) => {
    const attempt = () => requireWithinLimits(buildCode(fields), discount, 'USD');
    if (isAllowed) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(expect.objectContaining({ code: 'code-used-up' }));
  });
});
