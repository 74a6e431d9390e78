import { invalid } from './errors.ts';

/**
 * Exact money: amounts are bigints in the currency's minor units. Only the API uses decimals. Exponents of fiat
 * currencies are those of ISO 4217.
 */
const exponents = {
  USD: 2,
  EUR: 2,
  GBP: 2,
  CAD: 2,
  AUD: 2,
  CHF: 2,
  NGN: 2,
  GHS: 2,
  KES: 2,
  ZAR: 2,
  EGP: 2,
  UGX: 0,
  TZS: 2,
  RWF: 0,
  XOF: 0,
  XAF: 0,
  JPY: 0,
  INR: 2,
  BRL: 2,
  KWD: 3,
  ETH: 18,
  POL: 18,
  USDC: 6,
  USDT: 6,
} as const;

export type Currency = keyof typeof exponents;

const coins: readonly Currency[] = ['ETH', 'POL', 'USDC', 'USDT'];

/** Returns whether a currency is a coin or token, which is paid on a chain only. */
export const isCoin = (currency: Currency) => coins.includes(currency);

export const currencies = Object.keys(exponents) as [Currency, ...Currency[]];

/** Returns the number of decimals of a currency. */
export function exponentOf(currency: Currency): number {
  return exponents[currency];
}

/**
 * Converts a decimal to minor units, exactly.
 * @returns undefined for a value with more decimals than the currency, or that is not a decimal number
 */
export function toMinor(value: number | string, currency: Currency): bigint | undefined {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d{1,3}))?$/.exec(String(value));
  if (!match) return undefined;
  const [, whole = '', fraction = '', power = '0'] = match;
  const digits = BigInt(whole + fraction);
  const shift = exponents[currency] - fraction.length + Number(power);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return digits % divisor === 0n ? digits / divisor : undefined;
}

/** Converts minor units to a decimal string without trailing zeros, e.g. 10250n USD → "102.5". */
export function toDecimal(minor: bigint, currency: Currency): string {
  const exponent = exponents[currency];
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = digits.slice(digits.length - exponent).replace(/0+$/, '');
  return sign + whole + (fraction && `.${fraction}`);
}

/** Formats an amount, e.g. `102.50 USD`. Crypto amounts have no trailing zeros. */
export function formatMoney(amount: bigint, currency: Currency): string {
  const [whole, fraction = ''] = toDecimal(amount, currency).split('.');
  const exponent = exponentOf(currency);
  const decimals = exponent <= 3 ? fraction.padEnd(exponent, '0') : fraction;
  return `${whole}${decimals && `.${decimals}`} ${currency}`;
}

/** Converts minor units to a decimal number, for API responses. */
export function toNumber(minor: bigint, currency: Currency): number {
  return Number(toDecimal(minor, currency));
}

/** Returns the price of tickets before the fee. */
export function subtotal(price: bigint, quantity: number): bigint {
  return price * BigInt(quantity);
}

/** Returns the total for the buyer: the price of the tickets plus the platform's fee of 2.5 %. Rounds half up once. */
export function totalWithFee(ticketAmount: bigint): bigint {
  return (ticketAmount * 1025n + 500n) / 1000n;
}

/**
 * Divides an amount in proportion to shares, by largest remainder: the parts sum to the amount exactly.
 * @param shares at least 0; all parts are 0 when the shares sum to 0
 */
export function divideByShares(amount: bigint, shares: readonly bigint[]): bigint[] {
  const total = shares.reduce((sum, share) => sum + share, 0n);
  if (total === 0n) return shares.map(() => 0n);
  const parts = shares.map((share) => (amount * share) / total);
  let rest = amount - parts.reduce((sum, part) => sum + part, 0n);
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: (amount * share) % total }))
    .sort((a, b) => Number(b.remainder - a.remainder) || a.index - b.index);
  for (const { index } of byRemainder) {
    if (rest === 0n) break;
    parts[index] = (parts[index] as bigint) + 1n;
    rest -= 1n;
  }
  return parts;
}

/**
 * Returns a percentage of an amount, rounded half up once. @param percent a decimal from 0 to 100, with at most two
 * decimals
 */
export function percentOf(amount: bigint, percent: string): bigint {
  const hundredths = BigInt(Math.round(Number(percent) * 100));
  return (amount * hundredths + 5_000n) / 10_000n;
}

/**
 * Converts a price to minor units. @throws DomainError 400 that names `field`, for more decimals than the currency has
 */
export function toPrice(value: number | string, currency: Currency, field: string): bigint {
  const minor = toMinor(value, currency);
  if (minor === undefined) throw invalid(`${field} has more decimals than ${currency} allows`);
  return minor;
}
