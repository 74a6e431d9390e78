import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findReplacementFees, isBelowMarket, toMarketFees } from '../../../shared/chain/transactions.ts';

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas });
const ceiling = 1_000n;

describe('market fees', () => {
  it('cover a doubled base fee', () => {
    expect(toMarketFees(100n, 7n, ceiling)).toEqual(fees(207n, 7n));
  });

  it('do not exceed the ceiling, including the tip', () => {
    expect(toMarketFees(900n, 7n, ceiling)).toEqual(fees(1_000n, 7n));
    expect(toMarketFees(1n, 5_000n, ceiling)).toEqual(fees(1_000n, 1_000n));
  });
});

describe('the fees of a replacement', () => {
  it('raise both fees by a fifth', () => {
    expect(findReplacementFees(fees(100n, 10n), fees(1n, 1n), ceiling)).toEqual(fees(120n, 12n));
  });

  it('use the market’s fee where it is higher', () => {
    expect(findReplacementFees(fees(100n, 10n), fees(300n, 11n), ceiling)).toEqual(fees(300n, 12n));
  });

  it('rise from zero', () => {
    expect(findReplacementFees(fees(1n, 0n), fees(0n, 0n), ceiling)).toEqual(fees(2n, 1n));
  });

  it('are raised by less than a fifth when the ceiling leaves room for a tenth', () => {
    expect(findReplacementFees(fees(900n, 10n), fees(1n, 1n), ceiling)).toEqual(fees(1_000n, 12n));
  });

  it('are undefined when the ceiling is below what nodes require', () => {
    expect(findReplacementFees(fees(950n, 10n), fees(1n, 1n), ceiling)).toBeUndefined();
  });

  it('always meet the nodes’ rule for replacements, and never exceed the ceiling', () => {
    const amount = fc.bigInt(0n, 10n ** 12n);
    fc.assert(
      fc.property(amount, amount, amount, amount, amount, (fee, tip, baseFee, marketTip, ceiling) => {
        const before = fees(fee + tip, tip);
        const after = findReplacementFees(before, toMarketFees(baseFee, marketTip, ceiling), ceiling);
        if (!after) return;
        expect(after.maxFeePerGas).toBeLessThanOrEqual(ceiling);
        expect(after.maxPriorityFeePerGas).toBeLessThanOrEqual(after.maxFeePerGas);
        expect(after.maxFeePerGas * 10n).toBeGreaterThanOrEqual(before.maxFeePerGas * 11n);
        expect(after.maxPriorityFeePerGas * 10n).toBeGreaterThanOrEqual(before.maxPriorityFeePerGas * 11n);
        expect(after.maxFeePerGas).toBeGreaterThan(before.maxFeePerGas);
      }),
    );
  });
});

describe('the fees of a transaction', () => {
  it('are below the market when they are below the base fee', () => {
    expect(isBelowMarket(fees(99n, 1n), toMarketFees(100n, 0n, ceiling))).toBe(true);
    expect(isBelowMarket(fees(100n, 1n), toMarketFees(100n, 0n, ceiling))).toBe(false);
  });
});
