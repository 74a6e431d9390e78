import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Code,
  codeText,
  computeDiscount,
  isValidForTier,
  requireValid,
  requireWithinLimits,
  revealsTier,
} from '../../../shared/catalog/promo-codes/code.ts';
import type { Currency } from '../../../shared/core/money.ts';

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
    expect(computeDiscount(buildCode(fields), price, quantity, currency)).toBe(discount);
  });

  it('is never negative nor more than the tickets cost', () => {
    const value = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => `${hundredths / 100}`);
    const kind = fc.constantFrom('percent', 'amount', 'price', 'access');
    const price = fc.bigInt({ min: 0n, max: 10n ** 20n });
    const inputs = [kind, value, price, fc.integer({ min: 1, max: 500 })] as const;
    fc.assert(
      fc.property(...inputs, (kind, value, price, quantity) => {
        const code = buildCode({ kind: kind as Code['kind'], value });
        const discount = computeDiscount(code, price, quantity, 'USD');
        expect(discount >= 0n && discount <= price * BigInt(quantity)).toBe(true);
      }),
    );
  });

  it('is refused when its amount has more decimals than the event’s new currency', () => {
    expect(() => computeDiscount(buildCode({ kind: 'amount', value: '0.5' }), 100n, 1, 'JPY')).toThrow(
      expect.objectContaining({ code: 'discount-expired' }),
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
