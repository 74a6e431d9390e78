import bcrypt from 'bcryptjs';
import { maximumPasswordBytes } from '../users/user.ts';
import { hashRounds, unmatchableHash } from './unmatchable-hash.ts';

export function hashPassword(password: string): Promise<string> {
  return bcrypt.hash(password, hashRounds());
}

/**
 * Returns whether a password matches a hash. A call without a hash takes as long as one with a hash. Returns false for
 * passwords over 72 bytes.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await bcrypt.compare(password, hash ?? unmatchableHash());
  return matches && hash !== undefined && Buffer.byteLength(password) <= maximumPasswordBytes;
}
