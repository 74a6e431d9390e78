import bcrypt from 'bcryptjs';
import { maximumPasswordBytes } from '../users/user.ts';

const costFactor = 12;

/** A hash that no password matches. It makes the response for an unknown e-mail as slow as for a wrong password. */
const unmatchableHash = '$2b$12$dJ5rn2TA5YG25Gyd44Xr0uA5e7v1xFIMTmH.a6iVg8bsIF6DGZau.';

export function hashPassword(password: string): Promise<string> {
  return bcrypt.hash(password, costFactor);
}

/**
 * Returns whether a password matches a hash. A call without a hash takes as long as one with a hash. Returns false for
 * passwords over 72 bytes.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await bcrypt.compare(password, hash ?? unmatchableHash);
  return matches && hash !== undefined && Buffer.byteLength(password) <= maximumPasswordBytes;
}
