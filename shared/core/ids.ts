import { createHash, randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Returns a new CUID-shaped id: `c`, eight characters of time and sixteen random ones (82 bits). Ids sort by creation
 * time, so a descending query returns the newest first.
 */
export function newId(now = Date.now()): string {
  return `c${timePart(now)}${base36(randomBytes(16), 16)}`;
}

const markLength = 5;

/**
 * Returns a new id in which five of the last sixteen characters are a mark of the owner, the same in all ids of this
 * owner.
 */
export function newOwnedId(ownerId: string, now = Date.now()): string {
  const ownerHash = base36(createHash('sha256').update(ownerId).digest(), markLength);
  return `c${timePart(now)}${ownerHash}${base36(randomBytes(16), 16 - markLength)}`;
}

/** Returns the owner's mark in an id of `newOwnedId`; random characters for an id of `newId`. */
export function ownerMark(id: string): string {
  return id.slice(9, 9 + markLength);
}

/** Derives an id from a seed and a time. It has the shape of `newId`, with the seed's hash as its last part. */
export function derivedId(seed: string, time: number): string {
  return `c${timePart(time)}${base36(createHash('sha256').update(seed).digest(), 16)}`;
}

/** Returns random upper-case letters and digits, about 5.2 bits each. */
export function randomCode(length: number): string {
  return base36(randomBytes(length), length).toUpperCase();
}

function timePart(time: number): string {
  return time.toString(36).padStart(8, '0');
}

function base36(bytes: Uint8Array, length: number): string {
  // 256 is not a multiple of 36, so the first few characters are slightly more frequent. This costs less than 0.1 bit.
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % 36]).join('');
}
