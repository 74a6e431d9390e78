import { invalid } from './errors.ts';

/**
 * Exact money. Inside, an amount is a bigint of the currency's minor units; decimals exist only at the edge.
 * Exponents of fiat currencies are those of ISO 4217.
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
export const currencies = Object.keys(exponents) as [Currency, ...Currency[]];

/** How many decimals a currency's minor unit has. */
export function exponentOf(currency: Currency): number {
  return exponents[currency];
}

/**
 * A decimal as minor units, exactly.
 * @returns undefined when the value has more decimals than the currency, or is no plain decimal.
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

/** Minor units as a decimal string without trailing zeros, e.g. 10250n USD → "102.5". */
export function toDecimal(minor: bigint, currency: Currency): string {
  const exponent = exponents[currency];
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = digits.slice(digits.length - exponent).replace(/0+$/, '');
  return sign + whole + (fraction && `.${fraction}`);
}

/** Minor units as the JSON number the interface wants. */
export function toNumber(minor: bigint, currency: Currency): number {
  return Number(toDecimal(minor, currency));
}

/** What tickets cost before the fee. */
export function subtotal(price: bigint, quantity: number): bigint {
  return price * BigInt(quantity);
}

/** What the buyer pays: the price of the tickets and the platform's 2.5 % on top, rounded half up once. */
export function totalWithFee(ticketAmount: bigint): bigint {
  return (ticketAmount * 1025n + 500n) / 1000n;
}

/** A percentage of an amount, rounded half up once. @param percent a decimal from 0 to 100, with at most two decimals */
export function percentOf(amount: bigint, percent: string): bigint {
  const hundredths = BigInt(Math.round(Number(percent) * 100));
  return (amount * hundredths + 5_000n) / 10_000n;
}

/** A price as minor units. @throws DomainError 400 naming `field` when the currency has fewer decimals */
export function toPrice(value: number | string, currency: Currency, field: string): bigint {
  const minor = toMinor(value, currency);
  if (minor === undefined) throw invalid(`${field} has more decimals than ${currency} allows`);
  return minor;
}
