import { createHmac } from 'node:crypto';
import { conflict, invalid } from '../../core/errors.ts';
import { sameSecret } from '../../payments/webhook.ts';
import { keyList } from '../../runtime/secrets.ts';

/** A ticket of an order, by its number from 1 on, whether or not a token was minted for it. */
export interface Seat {
  orderId: string;
  number: number;
}

/**
 * Signs a check-in code: the seat, the second it expires (in base 36) and a signature. It is short enough for a QR
 * code that scans from a scratched phone.
 * @param end when the code expires, in epoch milliseconds
 */
export async function signCode({ orderId, number }: Seat, end: number): Promise<string> {
  const [key] = await keyList('CHECK_IN_SECRET');
  const text = `${orderId}.${number}.${Math.floor(end / 1000).toString(36)}`;
  return `${text}.${signature(text, key)}`;
}

/** Verifies a code and returns its seat. @throws DomainError 400 for an invalid code, 409 for an expired one */
export async function openCode(code: string): Promise<Seat> {
  const [, text = '', orderId = '', number, end = '', given = ''] =
    /^((\w+)\.([1-9]\d{0,7})\.([0-9a-z]{1,8}))\.([\w-]+)$/.exec(code.trim()) ?? [];
  const keys = await keyList('CHECK_IN_SECRET');
  if (!keys.some((key) => sameSecret(given, signature(text, key)))) {
    throw invalid('This is not a check-in code', 'invalid-code');
  }
  if (Number.parseInt(end, 36) * 1000 <= Date.now()) {
    throw conflict('code-expired', 'The check-in code has expired');
  }
  return { orderId, number: Number(number) };
}

/** 128 bits: infeasible to guess, and short. */
function signature(text: string, key: string): string {
  return createHmac('sha256', key).update(`check-in:${text}`).digest().subarray(0, 16).toString('base64url');
}
