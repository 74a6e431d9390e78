import { createHash, randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Returns a new CUID-shaped id: `c`, eight characters of time and sixteen random ones (82 bits). Ids sort by creation
 * time, so a descending query returns the newest first.
 */
export function newId(now = Date.now()): string {
  return `c${encodeTime(now)}${toBase36(randomBytes(16), 16)}`;
}

/** Returns the start of all ids that are made at a time, to compare ids with. */
export const startOfIds = (time: number) => `c${encodeTime(time)}`;

const markLength = 5;

/** Returns a new id that contains a mark of its owner: five characters that are the same in all ids of this owner. */
export function newOwnedId(ownerId: string, now = Date.now()): string {
  const ownerHash = toBase36(createHash('sha256').update(ownerId).digest(), markLength);
  return `c${encodeTime(now)}${ownerHash}${toBase36(randomBytes(16), 16 - markLength)}`;
}

/** Returns the owner's mark in an id from `newOwnedId`; random characters for an id from `newId`. */
export function ownerMark(id: string): string {
  return id.slice(9, 9 + markLength);
}

/**
 * Derives an id from a seed and a time. It has the format of `newId`, with a hash of the seed in place of the random
 * characters.
 */
export function deriveId(seed: string, time: number): string {
  return `c${encodeTime(time)}${toBase36(createHash('sha256').update(seed).digest(), 16)}`;
}

/** Returns random upper-case letters and digits, about 5.2 bits each. */
export function randomCode(length: number): string {
  return toBase36(randomBytes(length), length).toUpperCase();
}

/** Hashes an e-mail address in lower case, so that an item or a key does not contain it. */
export const hashEmail = (email: string) => createHash('sha256').update(email).digest('base64url');

function encodeTime(time: number): string {
  return time.toString(36).padStart(8, '0');
}

function toBase36(bytes: Uint8Array, length: number): string {
  // 256 is not a multiple of 36, so the first few characters are slightly more frequent. This costs less than 0.1 bit.
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % 36]).join('');
}
