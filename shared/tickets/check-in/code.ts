import { createHmac } from 'node:crypto';
import { invalid } from '../../core/errors.ts';
import { sameSecret } from '../../payments/webhook.ts';
import { keyList } from '../../runtime/secrets.ts';
import type { Seat, SeatReference } from '../seats/seat.ts';

/** A seat at the epoch that a code is for. */
export type CodedSeat = SeatReference & Pick<Seat, 'epoch'>;

/**
 * Signs a check-in code: order, number, the mark of the format with the seat's epoch, and a signature. It carries no
 * expiry, so that a printed code outlives a change of the event's date. It is short enough for a QR code that scans
 * from a scratched phone.
 */
export async function signCode({ orderId, number, epoch }: CodedSeat): Promise<string> {
  const [key] = await keyList('CHECK_IN_SECRET');
  const text = `${orderId}.${number}.v2-${epoch}`;
  return `${text}.${signature(text, key)}`;
}

/**
 * Verifies a code and returns its seat. Codes of the earlier format have the second they were to expire, in base 36, in
 * place of mark and epoch: it no longer counts, and their epoch is 0.
 * @throws DomainError 400 for an invalid code
 */
export async function openCode(code: string): Promise<CodedSeat> {
  const [, text = '', orderId = '', number, epoch = '0', given = ''] =
    /^((\w+)\.([1-9]\d{0,7})\.(?:v2-(0|[1-9]\d{0,5})|[0-9a-z]{1,8}))\.([\w-]+)$/.exec(code.trim()) ?? [];
  const keys = await keyList('CHECK_IN_SECRET');
  if (!keys.some((key) => sameSecret(given, signature(text, key)))) {
    throw invalid('This is not a check-in code', 'invalid-code');
  }
  return { orderId, number: Number(number), epoch: Number(epoch) };
}

/** 128 bits: infeasible to guess, and short. */
function signature(text: string, key: string): string {
  return createHmac('sha256', key).update(`check-in:${text}`).digest().subarray(0, 16).toString('base64url');
}
