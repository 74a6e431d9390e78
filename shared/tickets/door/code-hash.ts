import { createHash } from 'node:crypto';
import { type SignedSeat, signCodes } from '../check-in/admissions.ts';

/**
 * Returns the hashes by which a device at the door recognizes a seat's check-in code without storing it, the first 16 bytes of
 * its SHA-256, in base64url: of the code that is handed out, and of those by keys that are retiring.
 */
export async function hashCodes(seat: SignedSeat): Promise<[string, ...string[]]> {
  const [code, ...others] = await signCodes(seat);
  return [hashCode(code), ...others.map(hashCode)];
}

const hashCode = (code: string) =>
  createHash('sha256').update(code).digest().subarray(0, 16).toString('base64url');

/** Returns which of a seat's codes has a hash: a current one, one of a former holder, or none. */
export async function recognizeCode(
  seat: SignedSeat,
  hash: string,
): Promise<'current' | 'former' | undefined> {
  if ((await hashCodes(seat)).includes(hash)) return 'current';
  for (let transfers = 0; transfers < seat.transfers; transfers++) {
    if ((await hashCodes({ ...seat, transfers })).includes(hash)) return 'former';
  }
  return undefined;
}
