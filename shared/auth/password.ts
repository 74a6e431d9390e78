import bcrypt from 'bcryptjs';
import { maximumPasswordBytes } from '../users/user.ts';

const rounds = 12;

/** A hash of no password at all, for costing an unknown e-mail the same time as a wrong password. */
const nobodysHash = '$2b$12$dJ5rn2TA5YG25Gyd44Xr0uA5e7v1xFIMTmH.a6iVg8bsIF6DGZau.';

export function hashPassword(password: string): Promise<string> {
  return bcrypt.hash(password, rounds);
}

/** Whether the password belongs to the hash; takes as long, and is false, when there is no hash or it is too long. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await bcrypt.compare(password, hash ?? nobodysHash);
  return matches && hash !== undefined && Buffer.byteLength(password) <= maximumPasswordBytes;
}
