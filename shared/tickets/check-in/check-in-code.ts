import { createHmac } from 'node:crypto';
import { invalid } from '../../core/errors.ts';
import { isSameSecret, readKeyList } from '../../runtime/secrets.ts';
import type { Seat, SeatReference } from '../seats/seat.ts';

/** The seat and the epoch that a code is signed for. */
export type SignedSeat = SeatReference & Pick<Seat, 'epoch'>;

/**
 * Returns a seat's check-in code: the order, the number of the seat, the version of the format with the seat's epoch,
 * and a signature. The code has no expiry, so that a printed code stays valid when the event's date changes. It is short
 * enough for a QR code that scans from a scratched phone.
 */
export async function signCode({ orderId, number, epoch }: SignedSeat): Promise<string> {
  const [key] = await readKeyList('CHECK_IN_SECRET');
  const text = `${orderId}.${number}.v2-${epoch}`;
  return `${text}.${computeSignature(text, key)}`;
}

/**
 * Verifies a code and returns its seat. A code of the earlier format has an expiry in base 36 in place of version and
 * epoch. The expiry is ignored, and the epoch is 0.
 * @throws DomainError 400 for an invalid code
 */
export async function verifyCode(code: string): Promise<SignedSeat> {
  const [, text = '', orderId = '', number, epoch = '0', givenSignature = ''] =
    /^((\w+)\.([1-9]\d{0,7})\.(?:v2-(0|[1-9]\d{0,5})|[0-9a-z]{1,8}))\.([\w-]+)$/.exec(code.trim()) ?? [];
  const keys = await readKeyList('CHECK_IN_SECRET');
  if (!keys.some((key) => isSameSecret(givenSignature, computeSignature(text, key)))) {
    throw invalid('This is not a check-in code', 'invalid-code');
  }
  return { orderId, number: Number(number), epoch: Number(epoch) };
}

/** Signs with 128 bits: short, and infeasible to guess. */
function computeSignature(text: string, key: string): string {
  return createHmac('sha256', key).update(`check-in:${text}`).digest().subarray(0, 16).toString('base64url');
}
