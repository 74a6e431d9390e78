import { createHash } from 'node:crypto';
import { type SignedSeat, signCode } from '../check-in/admissions.ts';

/**
 * Returns the hash by which a device at the door recognizes a seat's check-in code without storing it: the first 16 bytes of
 * its SHA-256, in base64url.
 */
export async function hashCode(seat: SignedSeat): Promise<string> {
  return createHash('sha256')
    .update(await signCode(seat))
    .digest()
    .subarray(0, 16)
    .toString('base64url');
}

/** Returns which of a seat's codes has a hash: its current one, one of a former holder, or none. */
export async function recognizeCode(
  seat: SignedSeat,
  hash: string,
): Promise<'current' | 'former' | undefined> {
  if ((await hashCode(seat)) === hash) return 'current';
  for (let transfers = 0; transfers < seat.transfers; transfers++) {
    if ((await hashCode({ ...seat, transfers })) === hash) return 'former';
  }
  return undefined;
}
