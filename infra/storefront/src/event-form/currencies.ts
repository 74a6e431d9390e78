import type { Currency } from 'boxoffice-client';

/** The currencies that the API knows; the type makes sure that none is missing. */
const known: Record<Currency, true> = {
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
export const currencies = Object.keys(known) as Currency[];

/** USD as USD – US Dollar. */
export function currencyLabel(currency: Currency): string {
  const name = new Intl.DisplayNames(undefined, { type: 'currency', fallback: 'none' });
  // Intl has no names of cryptocurrencies with three letters; four letters are no currency code for it.
  const found = currency.length === 3 ? name.of(currency) : undefined;
  return found ? `${currency} – ${found}` : currency;
}
