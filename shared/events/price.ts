import { invalid } from '../errors.ts';
import { type Currency, toMinor } from '../money.ts';

/** A price as minor units. @throws DomainError 400 naming `field` when the currency has fewer decimals */
export function toPrice(value: number | string, currency: Currency, field: string): bigint {
  const minor = toMinor(value, currency);
  if (minor === undefined) throw invalid(`${field} has more decimals than ${currency} allows`);
  return minor;
}
