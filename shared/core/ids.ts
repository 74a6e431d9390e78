import { createHash, randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * A new CUID-shaped id: `c`, eight characters of time, sixteen random ones (82 bits). Ids sort by creation, so
 * the newest first is the table's own order read backwards.
 */
export function newId(now = Date.now()): string {
  return `c${timePart(now)}${base36(randomBytes(16), 16)}`;
}

const markLength = 5;

/** A new id of the same shape, of which five of the sixteen last characters are the same in all ids of an owner. */
export function newIdOf(ownerId: string, now = Date.now()): string {
  const mark = base36(createHash('sha256').update(ownerId).digest(), markLength);
  return `c${timePart(now)}${mark}${base36(randomBytes(16), 16 - markLength)}`;
}

/** The characters that ids of the same owner share; random ones in the id of `newId`. */
export function ownerMark(id: string): string {
  return id.slice(9, 9 + markLength);
}

/** The id that belongs to a seed for ever: same shape, but the last part is the seed's hash. */
export function derivedId(seed: string, time: number): string {
  return `c${timePart(time)}${base36(createHash('sha256').update(seed).digest(), 16)}`;
}

/** Random letters and digits, upper case, about 5.2 bits each. */
export function randomCode(length: number): string {
  return base36(randomBytes(length), length).toUpperCase();
}

function timePart(time: number): string {
  return time.toString(36).padStart(8, '0');
}

function base36(bytes: Uint8Array, length: number): string {
  // 256 is no multiple of 36: the first few characters come up slightly more often, which costs under 0.1 bit.
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % 36]).join('');
}
