import { createHmac, timingSafeEqual } from 'node:crypto';

/** Time-based one-time passwords: RFC 6238 with the defaults of authenticator apps (SHA-1, six digits, 30 seconds). */

const stepSeconds = 30;
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns bytes in base 32 (RFC 4648), without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((chunk) => base32Alphabet[Number.parseInt(chunk.padEnd(5, '0'), 2)])
    .join('');
}

/** Returns the time step of a time in epoch milliseconds. */
export const toStep = (time: number): number => Math.floor(time / 1000 / stepSeconds);

/** Returns the code of a time step: HOTP of RFC 4226. */
export function codeOf(secret: Uint8Array, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Finds the time step of a code: the previous, the current or the next one. @returns undefined for a wrong code */
export function findStep(secret: Uint8Array, code: string, now: number): number | undefined {
  const current = toStep(now);
  return [current, current - 1, current + 1].find((step) =>
    timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code)),
  );
}

/** Returns the address that an authenticator app reads from a QR code. */
export function toOtpauthUri(secret: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer })}`;
}
