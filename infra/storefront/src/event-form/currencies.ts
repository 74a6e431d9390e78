import type { Currency } from 'boxoffice-client';

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
  const names = new Intl.DisplayNames(undefined, { type: 'currency', fallback: 'none' });
  // Intl has no names of cryptocurrencies, and throws for codes of four letters.
  const name = currency.length === 3 ? names.of(currency) : undefined;
  return name ? `${currency} – ${name}` : currency;
}
