/** Amounts as people read them, exact to the currency's smallest unit. */

/** Decimals of the currencies that Intl does not know. */
const tokens: Record<string, number> = { ETH: 18, POL: 18, USDC: 6, USDT: 6 };

/** @param amount whole units, as the API gives them; a string where it must stay exact */
export function money(
  amount: number | string,
  currency: string,
  options: Intl.NumberFormatOptions = {},
): string {
  const digits = tokens[currency];
  if (digits !== undefined) {
    const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: digits });
    return `${number.format(amount as number)} ${currency}`;
  }
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...options }).format(
    amount as number,
  );
}

/** The prices of an event's tiers from the lowest to the highest, such as Free – $80; empty without tiers. */
export function priceRange({
  tiers,
  currency,
}: {
  tiers: readonly { price: number }[];
  currency: string;
}): string {
  const prices = tiers.map(({ price }) => price);
  const ends = [...new Set([Math.min(...prices), Math.max(...prices)])].filter(Number.isFinite);
  const short = { trailingZeroDisplay: 'stripIfInteger' } as const;
  return ends.map((price) => (price === 0 ? 'Free' : money(price, currency, short))).join(' – ');
}

/**
 * Returns the buyer's total: the tickets and a fee of 2.5 %, rounded half up to the currency's smallest unit. The API
 * calculates the same total for an order; this one is shown before there is an order.
 * @returns whole units as an exact decimal
 */
export function totalWithFee(price: number, quantity: number, currency: string): string {
  const digits = decimalsOf(currency);
  const units = (toUnits(price, digits) * BigInt(quantity) * 1025n + 500n) / 1000n;
  return fromUnits(units, digits);
}

/**
 * The difference of two amounts without the error of binary fractions, such as 0.3 less 0.1. Not negative.
 * @returns whole units as an exact decimal
 */
export function difference(amount: number, less: number, currency: string): string {
  const digits = decimalsOf(currency);
  return fromUnits(toUnits(amount, digits) - toUnits(less, digits), digits);
}

function fromUnits(units: bigint, digits: number): string {
  const padded = `${units}`.padStart(digits + 1, '0');
  return digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/** The step of a field for amounts: 0.01 for dollars. Coins with 18 decimals have too small a one for browsers. */
export function priceStep(currency: string): number | 'any' {
  const digits = decimalsOf(currency);
  return digits > 8 ? 'any' : 10 ** -digits;
}

export function decimalsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency in tokens ? 'USD' : currency,
  }).resolvedOptions();
  return tokens[currency] ?? maximumFractionDigits ?? 2;
}

/** Over the shortest decimal that means the number: 0.05 has no exact binary form. */
function toUnits(amount: number, digits: number): bigint {
  const decimal = amount.toLocaleString('en', { useGrouping: false, maximumFractionDigits: digits });
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}
