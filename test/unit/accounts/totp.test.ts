import { describe, expect, it } from 'vitest';
import { codeOf, findStep, toBase32, toOtpauthUri, toStep } from '../../../shared/accounts/factors/totp.ts';

const secret = new Uint8Array(Buffer.from('12345678901234567890'));

describe('a time-based code', () => {
  // Appendix B of RFC 6238, SHA-1.
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at %d s is that of RFC 6238', (seconds, code) => {
    expect(codeOf(secret, toStep(seconds * 1000), 8)).toBe(code);
  });

  // Appendix D of RFC 4226.
  it('has the last six digits of RFC 4226', () => {
    const codes = [0, 1, 2, 3, 4].map((counter) => codeOf(secret, counter));
    expect(codes).toEqual(['755224', '287082', '359152', '969429', '338314']);
  });

  it('is accepted in its step, the one before and the one after', () => {
    const now = 1_000_000 * 30_000;
    const steps = [-2, -1, 0, 1, 2].map((offset) =>
      findStep(secret, codeOf(secret, 1_000_000 + offset), now),
    );
    expect(steps).toEqual([undefined, 999_999, 1_000_000, 1_000_001, undefined]);
  });
});

describe('the secret', () => {
  // Section 10 of RFC 4648, without padding.
  it.each([
    ['f', 'MY'],
    ['foob', 'MZXW6YQ'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%s is %s in base 32', (text, encoded) => {
    expect(toBase32(Buffer.from(text))).toBe(encoded);
  });

  it('is in the address for the QR code', () => {
    expect(toOtpauthUri('MZXW6', 'a+b@example.com', 'Boxoffice')).toBe(
      'otpauth://totp/Boxoffice:a%2Bb%40example.com?secret=MZXW6&issuer=Boxoffice',
    );
  });
});
