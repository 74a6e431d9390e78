import { type Currency, currencies, toMinor } from '../money.ts';
import type { GatewayName, PaymentSignal } from './gateway.ts';
import { fromSubunits, takes } from './subunits.ts';

type Paid = Pick<PaymentSignal, 'amount' | 'currency'>;

/**
 * Amount and currency of a payment as a provider tells them. What is absent stays absent; what is there but
 * makes no sense counts as nothing paid, so that somebody looks at it.
 * @param unit whether the provider counts subunits or major units
 */
export function readPaid(
  gateway: GatewayName,
  unit: 'sub' | 'major',
  amount: unknown,
  currency: unknown,
): Paid {
  const name = currency === undefined || currency === null ? undefined : String(currency).toUpperCase();
  if (amount === undefined || amount === null) return { currency: name };
  const known = currencies.find((candidate) => candidate === name);
  if (!known || !takes(gateway, known)) return { currency: name, amount: name ? 0n : undefined };
  const minor =
    unit === 'sub' ? wholeSubunits(gateway, amount, known) : toMinor(roundDown(amount, known), known);
  return { currency: name, amount: minor ?? 0n };
}

function wholeSubunits(gateway: GatewayName, amount: unknown, currency: Currency): bigint | undefined {
  return /^\d+$/.test(String(amount)) ? fromSubunits(gateway, BigInt(String(amount)), currency) : undefined;
}

/** Cuts off decimals the currency does not have: a hair too much is no reason to look closer. */
function roundDown(amount: unknown, currency: Currency): string {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? [];
  for (let length = fraction.length; length > 0; length--) {
    const text = `${whole}.${fraction.slice(0, length)}`;
    if (toMinor(text, currency) !== undefined) return text;
  }
  return whole;
}
