import { isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { describe, expect, it } from 'vitest';
import { isAttested } from '../../../shared/accounts/factors/webauthn.ts';

type Statement = Parameters<typeof isoCBOR.encode>[0];

const map = (entries: [string, Statement][]) => new Map<string | number, Statement>(entries);
const certificates = map([['x5c', [new Uint8Array([1])]]]);
const encode = (format: string, statement: Statement) =>
  isoCBOR.encode(
    map([
      ['fmt', format],
      ['attStmt', statement],
    ]),
  );
const refuses = (attestationObject: string) =>
  isAttested({ response: { clientDataJSON: '', attestationObject } });
const refusesBytes = (bytes: Uint8Array<ArrayBuffer>) => refuses(isoBase64URL.fromBuffer(bytes));

describe('a new passkey', () => {
  it('has no statement with certificates', () => {
    expect(refusesBytes(encode('none', map([])))).toBe(false);
    expect(refusesBytes(encode('packed', map([])))).toBe(false);
    expect(refusesBytes(encode('packed', certificates))).toBe(true);
    expect(refusesBytes(encode('android-key', certificates))).toBe(true);
    expect(refuses('e30')).toBe(true);
  });

  it('has no statement that is found only when other characters than those of base64url are read as zeros', () => {
    const padded = (bytes: Uint8Array) =>
      Buffer.concat([bytes.subarray(1), Buffer.alloc((4 - (bytes.length % 3)) % 3)]);
    const hidden = padded(encode('android-key', certificates));
    // Where they are skipped, the hidden statement is the content of the byte string `p`.
    const start = Buffer.from([0xa3, 0x61, 0x70, 0x59, hidden.length >> 8, hidden.length & 0xff]);
    const shown = padded(encode('none', map([])));
    const skipped = '!'.repeat((hidden.length / 3) * 4);
    expect(
      refuses(
        [start, skipped, hidden, shown]
          .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
          .join(''),
      ),
    ).toBe(true);
  });
});
