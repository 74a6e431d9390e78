import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Currency, currencies, toMinor } from '../../../shared/core/money.ts';
import { type GatewayName, gatewayNames } from '../../../shared/core/schemas.ts';
import { listPaymentMethods, paymentWarnings } from '../../../shared/payments/payment-methods.ts';
import {
  fromSubunits,
  readPaidAmount,
  supportsAmount,
  toMajor,
  toPayableTotal,
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

const polygon = 137;
const treasury = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

beforeEach(() => {
  const settings = {
    GATEWAY_A_URL: 'https://a.example',
    GATEWAY_A_NAME: 'Card',
    GATEWAY_B_URL: 'https://b.example',
    GATEWAY_B_NAME: 'Bank transfer',
    GATEWAY_C_URL: 'https://c.example',
    GATEWAY_C_NAME: '',
    TREASURY_ADDRESS: treasury,
    PAYMENT_CHAINS: '137, 8453',
    CHAIN_TOKENS: '',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterEach(() => void vi.unstubAllEnvs());

const listNames = (...parameters: Parameters<typeof listPaymentMethods>) =>
  listPaymentMethods(...parameters).map(({ name }) => name);

it('lists the gateways that accept the currency', () => {
  expect(listPaymentMethods({ currency: 'EUR', chainId: polygon })).toEqual([
    { paymentMethod: 'FIAT', gateway: 'gateway-b', name: 'Bank transfer' },
    // GATEWAY_C_NAME is empty.
    { paymentMethod: 'FIAT', gateway: 'gateway-c', name: 'Online payment C' },
  ]);
  expect(listNames({ currency: 'NGN', chainId: polygon })).toEqual([
    'Card',
    'Bank transfer',
    'Online payment C',
  ]);
});

it('gives gateways without a configured name different names', () => {
  for (const name of ['GATEWAY_A_NAME', 'GATEWAY_B_NAME']) vi.stubEnv(name, '');
  expect(listNames({ currency: 'NGN', chainId: polygon })).toEqual([
    'Online payment A',
    'Online payment B',
    'Online payment C',
  ]);
});

it('omits a gateway that is not configured', () => {
  vi.stubEnv('GATEWAY_B_URL', '');
  expect(listNames({ currency: 'NGN', chainId: polygon })).toEqual(['Card', 'Online payment C']);
});

it('omits a gateway that does not accept the amount', () => {
  // gateway-c accepts KWD, which has three decimals, only in steps of 0.01.
  expect(listNames({ currency: 'KWD', chainId: polygon }, 1_025n)).toEqual([]);
  expect(listNames({ currency: 'KWD', chainId: polygon }, 1_030n)).toEqual(['Online payment C']);
});

it('rounds a total up only where no configured gateway accepts it', () => {
  expect(toPayableTotal('KWD', 5_125n)).toBe(5_130n);
  expect(toPayableTotal('KWD', 5_130n)).toBe(5_130n);
  expect(toPayableTotal('KWD', 0n)).toBe(0n);
  expect(toPayableTotal('NGN', 5_125n)).toBe(5_125n);
  expect(toPayableTotal('POL', 5_125n)).toBe(5_125n);
  vi.stubEnv('GATEWAY_C_URL', '');
  expect(toPayableTotal('KWD', 5_125n)).toBe(5_125n);
});

it('warns of a price that nobody can pay', () => {
  const event = { currency: 'KWD' as const, chainId: polygon };
  expect(paymentWarnings({ ...event, tiers: [{ price: 5 }] })).toEqual([]);
  vi.stubEnv('GATEWAY_C_URL', '');
  expect(paymentWarnings({ ...event, tiers: [{ price: 0 }, { price: 5 }] })).toHaveLength(1);
  expect(paymentWarnings({ ...event, tiers: [{ price: 0 }] })).toEqual([]);
});

it('lists no method for the amount 0', () => {
  expect(listNames({ currency: 'NGN', chainId: polygon }, 0n)).toEqual([]);
});

it('lists the event’s chain, and no gateway, for its native coin and its tokens', () => {
  expect(listPaymentMethods({ currency: 'POL', chainId: polygon })).toEqual([
    { paymentMethod: 'CRYPTO', gateway: null, name: 'POL on Polygon' },
  ]);
  expect(listNames({ currency: 'USDC', chainId: polygon })).toEqual(['USDC on Polygon']);
  expect(listNames({ currency: 'ETH', chainId: 8453 })).toEqual(['ETH on Base']);
});

it('omits a chain that lacks the currency or is not in PAYMENT_CHAINS, and every chain without TREASURY_ADDRESS', () => {
  expect(listNames({ currency: 'ETH', chainId: polygon })).toEqual([]);
  expect(listNames({ currency: 'USDT', chainId: 8453 })).toEqual([]);
  expect(listNames({ currency: 'ETH', chainId: 1 })).toEqual([]);
  vi.stubEnv('TREASURY_ADDRESS', '');
  expect(listNames({ currency: 'POL', chainId: polygon })).toEqual([]);
});
