import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Currency, currencies, toMinor } from '../../../shared/core/money.ts';
import { type GatewayName, gatewayNames } from '../../../shared/core/names.ts';
import {
  fromSubunits,
  readPaidAmount,
  supportsAmount,
  toMajor,
  toSubunits,
  withOrderCurrency,
} from '../../../shared/payments/provider.ts';

const parseMinor = (value: string, currency: Currency) => toMinor(value, currency) as bigint;

describe('an amount sent to a provider', () => {
  it.each<[GatewayName, Currency, string, bigint]>([
    ['gateway-a', 'NGN', '102.5', 10250n],
    ['gateway-a', 'USD', '102.5', 10250n],
    // gateway-a uses hundredths of every currency.
    ['gateway-a', 'XOF', '500', 50000n],
    ['gateway-c', 'USD', '102.5', 10250n],
    ['gateway-c', 'NGN', '0.01', 1n],
    ['gateway-c', 'JPY', '500', 500n],
    ['gateway-c', 'XOF', '500', 500n],
    ['gateway-c', 'KWD', '5.12', 5120n],
    // gateway-c uses hundredths of UGX, although the currency has no decimals.
    ['gateway-c', 'UGX', '500', 50000n],
  ])('for %s is in subunits: %s %s is %s', (gateway, currency, value, subunits) => {
    expect(toSubunits(gateway, parseMinor(value, currency), currency)).toBe(subunits);
    expect(fromSubunits(gateway, subunits, currency)).toBe(parseMinor(value, currency));
  });

  it.each<[Currency, string, number]>([
    ['NGN', '102.5', 102.5],
    ['XOF', '500', 500],
    ['USD', '0.01', 0.01],
  ])('for gateway-b is in major units: %s %s is %d', (currency, value, major) => {
    expect(toMajor(parseMinor(value, currency), currency)).toBe(major);
  });

  it('is read back unchanged from every provider in every currency it accepts', () => {
    const pairs = gatewayNames.flatMap((gateway) =>
      currencies
        .filter((currency) => supportsAmount(gateway, currency))
        .map((currency) => ({ gateway, currency })),
    );
    expect(pairs.length).toBeGreaterThan(30);
    fc.assert(
      fc.property(fc.constantFrom(...pairs), fc.bigInt(0n, 10n ** 13n), ({ gateway, currency }, amount) => {
        const unit = gateway === 'gateway-b' ? 'major' : 'subunit';
        const sent =
          unit === 'subunit' ? Number(toSubunits(gateway, amount, currency)) : toMajor(amount, currency);
        expect(readPaidAmount(gateway, unit, sent, currency.toLowerCase())).toEqual({ amount, currency });
      }),
    );
  });
});

describe('support for an amount', () => {
  it.each<[GatewayName, Currency]>([
    ['gateway-a', 'JPY'],
    ['gateway-a', 'KWD'],
    ['gateway-b', 'JPY'],
    ['gateway-b', 'KWD'],
    ['gateway-c', 'ETH'],
    ['gateway-a', 'POL'],
    ['gateway-b', 'USDC'],
  ])('is absent in %s for %s', (gateway, currency) => {
    expect(supportsAmount(gateway, currency)).toBe(false);
  });

  it('in gateway-c requires a multiple of ten subunits in currencies with three decimals', () => {
    expect(supportsAmount('gateway-c', 'KWD', 5120n)).toBe(true);
    expect(supportsAmount('gateway-c', 'KWD', 5125n)).toBe(false);
    expect(supportsAmount('gateway-c', 'USD', 5125n)).toBe(true);
  });
});

describe('an amount reported by a provider', () => {
  it('has the order’s currency when it is reported without one', () => {
    const signal = { kind: 'paid' as const, reference: 'r', transactionId: '1' };
    const order = { gateway: 'gateway-a' as const, currency: 'XOF' as const };
    const withoutCurrency = { ...signal, amountWithoutCurrency: { unit: 'subunit' as const, amount: 50000 } };
    expect(withOrderCurrency(order, withoutCurrency)).toEqual({
      ...signal,
      amount: 500n,
      currency: 'XOF',
    });
    expect(withOrderCurrency(order, signal)).toEqual(signal);
  });

  it.each<[string, unknown, unknown, object]>([
    ['with neither a number nor a currency', undefined, undefined, {}],
    ['with a number only', 100, undefined, { amountWithoutCurrency: { unit: 'subunit', amount: 100 } }],
    ['with a currency only', undefined, 'USD', { currency: 'USD' }],
    ['in an unknown currency', 100, 'XXX', { currency: 'XXX', amount: 0n }],
    ['in an unsupported currency', 100, 'JPY', { currency: 'JPY', amount: 0n }],
    ['with a fraction of a subunit', 100.5, 'USD', { currency: 'USD', amount: 0n }],
    ['that is negative', -100, 'USD', { currency: 'USD', amount: 0n }],
    ['that is a word', 'lots', 'USD', { currency: 'USD', amount: 0n }],
    ['that is an object', {}, 'USD', { currency: 'USD', amount: 0n }],
    ['that is text with digits', '100', 'usd', { currency: 'USD', amount: 100n }],
  ])('%s (%j %j) is read as %o', (_, amount, currency, paid) => {
    expect(readPaidAmount('gateway-a', 'subunit', amount, currency)).toEqual(paid);
  });

  it('in major units is truncated to the decimals of the currency', () => {
    expect(readPaidAmount('gateway-b', 'major', 102.509, 'NGN')).toEqual({ currency: 'NGN', amount: 10250n });
    expect(readPaidAmount('gateway-b', 'major', 1e21, 'NGN')).toEqual({ currency: 'NGN', amount: 0n });
  });
});
