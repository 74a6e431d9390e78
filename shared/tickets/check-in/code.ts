import { createHmac } from 'node:crypto';
import { invalid } from '../../core/errors.ts';
import { sameSecret } from '../../payments/webhook.ts';
import { keyList } from '../../runtime/secrets.ts';

/** A ticket of an order, by its number from 1 on, whether or not a token was minted for it. */
export interface Seat {
  orderId: string;
  number: number;
}

/**
 * The third part of a code: the mark of its format, and how many times the seat has changed hands, which seats
 * can't do yet. Codes printed before have the second they were to expire there, in base 36, which no longer counts.
 */
const formatAndEpoch = 'v2-0';

/**
 * Signs a check-in code: the seat, the format with the seat's epoch, and a signature. It carries no expiry, so that
 * a printed code outlives a change of the event's date. It is short enough for a QR code that scans from a
 * scratched phone.
 */
export async function signCode({ orderId, number }: Seat): Promise<string> {
  const [key] = await keyList('CHECK_IN_SECRET');
  const text = `${orderId}.${number}.${formatAndEpoch}`;
  return `${text}.${signature(text, key)}`;
}

/** Verifies a code, also one of the earlier format, and returns its seat. @throws DomainError 400 for an invalid code */
export async function openCode(code: string): Promise<Seat> {
  const [, text = '', orderId = '', number, given = ''] =
    /^((\w+)\.([1-9]\d{0,7})\.(?:v2-0|[0-9a-z]{1,8}))\.([\w-]+)$/.exec(code.trim()) ?? [];
  const keys = await keyList('CHECK_IN_SECRET');
  if (!keys.some((key) => sameSecret(given, signature(text, key)))) {
    throw invalid('This is not a check-in code', 'invalid-code');
  }
  return { orderId, number: Number(number) };
}

/** 128 bits: infeasible to guess, and short. */
function signature(text: string, key: string): string {
  return createHmac('sha256', key).update(`check-in:${text}`).digest().subarray(0, 16).toString('base64url');
}
