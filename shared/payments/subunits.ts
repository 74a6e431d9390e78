import { type Currency, exponentOf, toDecimal } from '../money.ts';
import type { GatewayName } from './gateway.ts';

/**
 * Which currencies each provider takes, and with how many decimals it counts them. Mostly those of ISO 4217;
 * a pair that is not listed is refused before any money is asked for.
 */
const decimals: Record<GatewayName, Partial<Record<Currency, number>>> = {
  // Counts every currency in hundredths, also those that have none: 500 XOF is sent as 50000.
  'gateway-a': { NGN: 2, GHS: 2, ZAR: 2, KES: 2, USD: 2, XOF: 2 },
  // Takes major units; the number of decimals is what it shows.
  'gateway-b': {
    NGN: 2,
    GHS: 2,
    KES: 2,
    ZAR: 2,
    USD: 2,
    EUR: 2,
    GBP: 2,
    UGX: 0,
    TZS: 2,
    RWF: 0,
    XOF: 0,
    XAF: 0,
    EGP: 2,
  },
  // Counts UGX in hundredths although it has none.
  'gateway-c': {
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
    TZS: 2,
    INR: 2,
    BRL: 2,
    JPY: 0,
    RWF: 0,
    XOF: 0,
    XAF: 0,
    UGX: 2,
    KWD: 3,
  },
};

/** Whether the provider takes this currency and, where `amount` is given (minor units), that much of it. */
export function takes(gateway: GatewayName, currency: Currency, amount = 0n): boolean {
  const step = gateway === 'gateway-c' && exponentOf(currency) === 3 ? 10n : 1n;
  return decimals[gateway][currency] !== undefined && amount % step === 0n;
}

/** Our minor units as the provider's subunits. */
export function toSubunits(gateway: GatewayName, amount: bigint, currency: Currency): bigint {
  return amount * 10n ** BigInt((decimals[gateway][currency] ?? 0) - exponentOf(currency));
}

/** The provider's subunits as our minor units; a fraction of one, which we never asked for, is dropped. */
export function fromSubunits(gateway: GatewayName, amount: bigint, currency: Currency): bigint {
  return amount / 10n ** BigInt((decimals[gateway][currency] ?? 0) - exponentOf(currency));
}

/** Our minor units as the decimal number of major units that some providers take. */
export function toMajor(amount: bigint, currency: Currency): number {
  return Number(toDecimal(amount, currency));
}
