import { type Currency, currencies, toMinor } from '../money.ts';
import type { GatewayName, PaymentSignal } from './gateway.ts';
import { plainText } from './parse-webhook.ts';
import { fromSubunits, takes } from './subunits.ts';

type Paid = Pick<PaymentSignal, 'amount' | 'currency' | 'bareAmount'>;

/** Whether a provider counts subunits or major units. */
export type Unit = 'sub' | 'major';

/**
 * Amount and currency of a payment as a provider tells them. What is absent stays absent; what is there but
 * makes no sense counts as nothing paid, so that somebody looks at it.
 */
export function readPaid(gateway: GatewayName, unit: Unit, amount: unknown, currency: unknown): Paid {
  const name = currency === undefined || currency === null ? undefined : plainText(currency).toUpperCase();
  if (amount === undefined || amount === null) return { currency: name };
  if (name === undefined) return { bareAmount: { unit, amount } };
  const known = currencies.find((candidate) => candidate === name);
  if (!known || !takes(gateway, known)) return { currency: name, amount: 0n };
  const minor =
    unit === 'sub' ? wholeSubunits(gateway, amount, known) : toMinor(roundDown(amount, known), known);
  return { currency: name, amount: minor ?? 0n };
}

/** A signal as it is meant: an amount without a currency is in that of the order. */
export function inCurrencyOf(
  { gateway, currency }: { gateway?: GatewayName; currency: Currency },
  { bareAmount, ...signal }: PaymentSignal,
): PaymentSignal {
  return gateway && bareAmount
    ? { ...signal, ...readPaid(gateway, bareAmount.unit, bareAmount.amount, currency) }
    : signal;
}

function wholeSubunits(gateway: GatewayName, amount: unknown, currency: Currency): bigint | undefined {
  const text = plainText(amount);
  return /^\d{1,30}$/.test(text) ? fromSubunits(gateway, BigInt(text), currency) : undefined;
}

/** Cuts off decimals the currency does not have: a hair too much is no reason to look closer. */
function roundDown(amount: unknown, currency: Currency): string {
  const [, whole = '', fraction = ''] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(plainText(amount)) ?? [];
  for (let length = fraction.length; length > 0; length--) {
    const text = `${whole}.${fraction.slice(0, length)}`;
    if (toMinor(text, currency) !== undefined) return text;
  }
  return whole;
}
