import { Interface } from 'ethers';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CryptoPayment } from '../../../infra/client/api.ts';
import { exactAmount, shorten, toTransaction } from '../../../infra/storefront/src/chain.ts';
import { instantsAt, timeZones, wallTime } from '../../../infra/storefront/src/event-form/zoned-time.ts';
import { longTime, shortTime, visitorTime } from '../../../infra/storefront/src/format.ts';
import {
  formatMoney,
  formatPriceRange,
  priceWithFee,
  subtract,
} from '../../../infra/storefront/src/money.ts';
import * as service from '../../../shared/core/money.ts';
import { currencies, exponentOf, toDecimal } from '../../../shared/core/money.ts';

describe('the storefront’s total', () => {
  it.each(service.currencies)('equals the service’s total in %s', (currency) => {
    // Prices have at most 8 digits and 8 decimals. A number represents up to 15 digits exactly.
    const decimals = Math.min(service.exponentOf(currency), 8);
    const price = fc.integer({ min: 1, max: 10_000_000 }).map((units) => units / 10 ** decimals);
    const item = fc.record({ price, quantity: fc.integer({ min: 1, max: 500 }) });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 10 }), (items) => {
        const subtotals = items.map(({ price, quantity }) => {
          const minor = service.toMinor(price, currency);
          fc.pre(minor !== undefined);
          return service.subtotal(minor as bigint, quantity);
        });
        const total = service.totalWithFee(subtotals.reduce((sum, each) => sum + each));
        expect(service.toMinor(priceWithFee(items, currency).total, currency)).toBe(total);
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
    formatPriceRange({
      tiers: prices.map((price) => ({ price, kind: 'ticket' as const })),
      currency,
    }).replace(/US(?=\$)/g, '');

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

afterEach(() => vi.unstubAllEnvs());
const setVisitorZone = (zone: string) => vi.stubEnv('TZ', zone);

describe('an event’s time', () => {
  it('is formatted with a time zone, by default the visitor’s', () => {
    setVisitorZone('America/New_York');
    expect(shortTime('2031-07-01T18:30:00.000Z')).toMatch(/2:30.PM EDT$/);
    expect(shortTime('2031-07-01T18:30:00.000Z', 'UTC')).toMatch(/6:30.PM UTC$/);
    expect(longTime('2031-07-01T18:30:00.000Z', 'Europe/Berlin')).toMatch(
      /^Tuesday, July 1.*8:30.PM GMT\+2$/,
    );
  });

  it('is formatted in UTC in a zone that the browser does not know', () => {
    expect(longTime('2031-06-01T18:30:00Z', 'Mars/Olympus')).toBe(longTime('2031-06-01T18:30:00Z', 'UTC'));
  });

  it('is formatted in the visitor’s time zone only when that differs', () => {
    setVisitorZone('America/New_York');
    expect(visitorTime('2031-07-01T02:30:00.000Z', 'UTC')).toMatch(/^Mon,? 10:30.PM EDT$/);
    expect(visitorTime('2031-07-01T02:30:00.000Z', 'America/Toronto')).toBeUndefined();
  });

  it('is compared with the visitor’s time on the day of the event, since two zones may differ in summer only', () => {
    setVisitorZone('Africa/Lagos');
    expect(visitorTime('2031-01-01T12:00:00.000Z', 'Europe/Berlin')).toBeUndefined();
    expect(visitorTime('2031-07-01T12:00:00.000Z', 'Europe/Berlin')).toBeDefined();
  });
});

describe('a local time in a time zone', () => {
  it.each([
    ['2031-06-01T20:30', 'Africa/Lagos', '2031-06-01T19:30:00.000Z'],
    ['2031-06-01T20:30', 'Europe/Berlin', '2031-06-01T18:30:00.000Z'],
    ['2031-12-01T20:30', 'Europe/Berlin', '2031-12-01T19:30:00.000Z'],
    ['2031-06-01T00:00', 'Asia/Kathmandu', '2031-05-31T18:15:00.000Z'],
    ['2031-01-01T00:00', 'Pacific/Kiritimati', '2030-12-31T10:00:00.000Z'],
    ['2031-01-01T12:00', 'UTC', '2031-01-01T12:00:00.000Z'],
  ])('%s in %s is %s', (localTime, zone, instant) => {
    expect(instantsAt(localTime, zone)).toEqual([instant]);
    expect(wallTime(instant, zone)).toBe(localTime);
  });

  it.each([
    ['2031-03-30T02:30', 'Europe/Berlin'],
    ['2031-03-09T02:00', 'America/New_York'],
    // These clocks are put forward by half an hour.
    ['2031-10-05T02:15', 'Australia/Lord_Howe'],
  ])('%s in %s has no instant, since clocks are put forward', (localTime, zone) => {
    expect(instantsAt(localTime, zone)).toEqual([]);
  });

  it.each([
    ['2031-10-26T02:30', 'Europe/Berlin', ['2031-10-26T00:30:00.000Z', '2031-10-26T01:30:00.000Z']],
    ['2031-11-02T01:00', 'America/New_York', ['2031-11-02T05:00:00.000Z', '2031-11-02T06:00:00.000Z']],
  ])('%s in %s has two instants, since clocks are put back', (localTime, zone, instants) => {
    expect(instantsAt(localTime, zone)).toEqual(instants);
  });

  it('has one instant in the minutes before and after a clock change', () => {
    const zone = 'Europe/Berlin';
    expect(instantsAt('2031-03-30T01:59', zone)).toEqual(['2031-03-30T00:59:00.000Z']);
    expect(instantsAt('2031-03-30T03:00', zone)).toEqual(['2031-03-30T01:00:00.000Z']);
    expect(instantsAt('2031-10-26T01:59', zone)).toEqual(['2031-10-25T23:59:00.000Z']);
    expect(instantsAt('2031-10-26T03:00', zone)).toEqual(['2031-10-26T02:00:00.000Z']);
  });

  it('has the instant that it was formatted from, in every zone', () => {
    const minute = 60_000;
    const instants = fc
      .integer({ min: Date.UTC(2025, 0) / minute, max: Date.UTC(2050, 0) / minute })
      .map((minutes) => new Date(minutes * minute).toISOString());
    fc.assert(
      fc.property(instants, fc.constantFrom(...timeZones()), (instant, zone) => {
        expect(instantsAt(wallTime(instant, zone), zone)).toContain(instant);
      }),
      { numRuns: 1000 },
    );
  });

  it('has no instant when it is incomplete or invalid', () => {
    expect(instantsAt('', 'UTC')).toEqual([]);
    expect(instantsAt('2031-02-30T10:00', 'UTC')).toEqual([]);
  });
});

describe('the list of zones', () => {
  it('starts with the given zones and UTC, and has each zone once', () => {
    const zones = timeZones('Asia/Kolkata', 'Europe/Berlin');
    expect(zones.slice(0, 3)).toEqual(['Asia/Kolkata', 'Europe/Berlin', 'UTC']);
    expect(new Set(zones).size).toBe(zones.length);
    expect(zones.length).toBeGreaterThan(300);
  });
});

const payment: CryptoPayment = {
  chainId: 137,
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  token: null,
  symbol: 'POL',
  decimals: 18,
  amount: '1537500000000000000',
  data: '0x424f58',
  expiresAt: '2031-06-01T20:00:00.000Z',
  transactionHash: null,
};
const usdc = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';

it('exactAmount has every digit of the amount to pay', () => {
  expect(exactAmount(payment)).toBe('1.5375');
  expect(exactAmount({ amount: '1', decimals: 18 })).toBe('0.000000000000000001');
  expect(exactAmount({ amount: '25000000', decimals: 6 })).toBe('25');
  fc.assert(
    fc.property(
      fc.constantFrom(...currencies),
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
      (currency, minor) => {
        const formatted = exactAmount({ amount: `${minor}`, decimals: exponentOf(currency) });
        expect(formatted).toBe(toDecimal(minor, currency));
      },
    ),
  );
});

it('toTransaction sends the native coin to the recipient, with the order’s reference as the data', () => {
  const value = `0x${(1537500000000000000n).toString(16)}`;
  expect(toTransaction(payment)).toEqual({ to: payment.to, value, data: payment.data });
});

it('toTransaction calls the token’s transfer, with the reference appended to the data', () => {
  const transfer = new Interface(['function transfer(address to, uint256 amount)']);
  const call = transfer.encodeFunctionData('transfer', [payment.to, payment.amount]);
  expect(toTransaction({ ...payment, token: usdc })).toEqual({
    to: usdc,
    value: '0x0',
    data: `${call}424f58`,
  });
});

it('shorten shortens only long values', () => {
  expect(shorten(payment.to)).toBe('0x7099…79C8');
  expect(shorten('42')).toBe('42');
});
