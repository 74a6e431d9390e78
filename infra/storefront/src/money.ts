import type { Currency } from 'boxoffice-client';
import { locale } from './format.ts';
import { t } from './texts/shop.ts';

/** Formats and calculates amounts, exact to the currency's minor unit. */

/** Decimals of the cryptocurrencies, which Intl does not know. */
const cryptoDecimals: Record<string, number> = { ETH: 18, POL: 18, USDC: 6, USDT: 6 };

/**
 * Formats an amount with its currency.
 * @param amount in major units, as in the API; a string where a number is not exact
 */
export function formatMoney(
  amount: number | string,
  currency: string,
  options: Intl.NumberFormatOptions = {},
): string {
  const digits = cryptoDecimals[currency];
  if (digits !== undefined) {
    const number = new Intl.NumberFormat(locale, { maximumFractionDigits: digits });
    return `${number.format(amount as number)} ${currency}`;
  }
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...options }).format(amount as number);
}

/** Formats the lowest and highest price of an event's tickets, such as Free – $80; empty without tiers. */
export function formatPriceRange({
  tiers,
  currency,
}: {
  tiers: readonly { price: number; kind: 'ticket' | 'addon' }[];
  currency: string;
}): string {
  const prices = tiers.filter(({ kind }) => kind === 'ticket').map(({ price }) => price);
  const bounds = [...new Set([Math.min(...prices), Math.max(...prices)])].filter(Number.isFinite);
  const short = { trailingZeroDisplay: 'stripIfInteger' } as const;
  return bounds
    .map((price) => (price === 0 ? t('values.free') : formatMoney(price, currency, short)))
    .join(' – ');
}

/**
 * Returns the price of tickets, the fee of 2.5 %, rounded half up to the currency's minor unit, and the buyer's total. The
 * API calculates the same for an order; this is shown before there is an order.
 * @returns major units as exact decimals
 */
export function priceWithFee(
  items: readonly { price: number; quantity: number }[],
  currency: string,
): { subtotal: string; fee: string; total: string } {
  const digits = decimalsOf(currency);
  const subtotals = items.map(({ price, quantity }) => toUnits(price, digits) * BigInt(quantity));
  const subtotal = subtotals.reduce((sum, each) => sum + each, 0n);
  const total = (subtotal * 1025n + 500n) / 1000n;
  const format = (units: bigint) => fromUnits(units, digits);
  return { subtotal: format(subtotal), fee: format(total - subtotal), total: format(total) };
}

/**
 * Subtracts an amount exactly, unlike `0.3 - 0.1`, which is not 0.2.
 * @param deduction at most `amount`
 * @returns major units as an exact decimal
 */
export function subtract(amount: number, deduction: number, currency: string): string {
  const digits = decimalsOf(currency);
  return fromUnits(toUnits(amount, digits) - toUnits(deduction, digits), digits);
}

function fromUnits(units: bigint, digits: number): string {
  const padded = `${units}`.padStart(digits + 1, '0');
  return digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/**
 * Returns the `step` of a field for amounts: 0.01 for dollars. The step of coins with 18 decimals is too small for
 * browsers, so it is `any`.
 */
export function priceStep(currency: string): number | 'any' {
  const digits = decimalsOf(currency);
  return digits > 8 ? 'any' : 10 ** -digits;
}

export function decimalsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency in cryptoDecimals ? 'USD' : currency,
  }).resolvedOptions();
  return cryptoDecimals[currency] ?? maximumFractionDigits ?? 2;
}

/**
 * Converts major to minor units. Uses the shortest decimal of the number, since 0.05 has no exact binary form.
 */
function toUnits(amount: number, digits: number): bigint {
  const decimal = amount.toLocaleString('en', { useGrouping: false, maximumFractionDigits: digits });
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

/** The API's currencies. The type requires all of them. */
const currencyCodes: Record<Currency, true> = {
  USD: true,
  EUR: true,
  GBP: true,
  CAD: true,
  AUD: true,
  CHF: true,
  NGN: true,
  GHS: true,
  KES: true,
  ZAR: true,
  EGP: true,
  UGX: true,
  TZS: true,
  RWF: true,
  XOF: true,
  XAF: true,
  JPY: true,
  INR: true,
  BRL: true,
  KWD: true,
  ETH: true,
  POL: true,
  USDC: true,
  USDT: true,
};
export const currencies = Object.keys(currencyCodes) as Currency[];

/** Returns a currency's label, such as USD – US Dollar. */
export function currencyLabel(currency: Currency): string {
  const names = new Intl.DisplayNames(locale, { type: 'currency', fallback: 'none' });
  // Intl has no names of cryptocurrencies, and throws for codes of four letters.
  const name = currency.length === 3 ? names.of(currency) : undefined;
  return name ? `${currency} – ${name}` : currency;
}
