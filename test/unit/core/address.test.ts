import { getAddress } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksumAddress, walletAddress } from '../../../shared/core/address.ts';

const anyAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const zeroAddress = `0x${'0'.repeat(40)}`;

describe('an address', () => {
  it('is returned checksummed from lower or upper case', () => {
    fc.assert(
      fc.property(anyAddress, (lower) => {
        const expected = getAddress(lower);
        expect(checksumAddress(lower)).toBe(expected);
        expect(checksumAddress(`0x${lower.slice(2).toUpperCase()}`)).toBe(expected);
        expect(checksumAddress(expected)).toBe(expected);
      }),
    );
  });

  it('is refused in mixed case with a wrong checksum', () => {
    const right = getAddress(`0x${'ab'.repeat(20)}`);
    const position = right.search(/[a-f]/);
    const wrong = right.slice(0, position) + right.charAt(position).toUpperCase() + right.slice(position + 1);
    expect(checksumAddress(right)).toBe(right);
    expect(checksumAddress(wrong)).toBeUndefined();
  });

  it.each([
    ['', 'empty'],
    ['0x', 'no digits'],
    [`0x${'a'.repeat(39)}`, 'one digit too few'],
    [`0x${'a'.repeat(41)}`, 'one digit too many'],
    [`0X${'a'.repeat(40)}`, 'an upper-case prefix'],
    ['a'.repeat(40), 'no prefix'],
    [`0x${'g'.repeat(40)}`, 'no hexadecimal digits'],
    [`0x${'a'.repeat(40)}\n`, 'a line break'],
  ])('is refused: %j (%s)', (text) => {
    expect(checksumAddress(text)).toBeUndefined();
  });
});

describe('the wallet schema', () => {
  it('returns the address checksummed', () => {
    const lower = `0x${'ab'.repeat(20)}`;
    expect(walletAddress.parse(lower)).toBe(getAddress(lower));
  });

  it.each([zeroAddress, '0x12', 42, null])('refuses %j', (value) => {
    expect(walletAddress.safeParse(value).success).toBe(false);
  });
});
