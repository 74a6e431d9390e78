import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import artifact from '../../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { computeCodeHash, isTicketCode } from '../../../shared/chain/contract-calls.ts';
import { compiledCode } from '../../../shared/chain/ticket-contract.ts';

const code = artifact.deployedBytecode;
const { masked, size } = compiledCode;

describe('isTicketCode', () => {
  it('recognises the code of the contract, in any case of the hex digits', () => {
    expect(isTicketCode(code)).toBe(true);
    expect(isTicketCode(`0x${code.slice(2).toUpperCase()}`)).toBe(true);
  });

  it('rejects code that differs in one byte', () => {
    const bytes = Buffer.from(code.slice(2), 'hex');
    const isMasked = (offset: number) =>
      masked.some(({ start, length }) => offset >= start && offset < start + length);
    const changeByte = (offset: number, mask: number) => {
      const copy = Buffer.from(bytes);
      copy[offset] = (copy[offset] as number) ^ mask;
      return `0x${copy.toString('hex')}`;
    };
    // The first and last bytes, the bytes around the masked ranges, and random ones.
    const edges = [0, size - 1, ...masked.flatMap(({ start, length }) => [start - 1, start + length])];
    for (const offset of edges)
      expect([offset, isTicketCode(changeByte(offset, 1))]).toEqual([offset, false]);
    fc.assert(
      fc.property(fc.nat(size - 1), fc.integer({ min: 1, max: 255 }), (offset, mask) => {
        expect(isTicketCode(changeByte(offset, mask))).toBe(isMasked(offset));
      }),
      { numRuns: 300 },
    );
  });

  it('accepts code built from sources that differ in comments only', () => {
    // Comments change only the digest of the sources, which is masked.
    const bytes = Buffer.from(code.slice(2), 'hex');
    for (const { start, length } of masked) bytes.fill(0xab, start, start + length);
    expect(isTicketCode(`0x${bytes.toString('hex')}`)).toBe(true);
  });

  it.each([
    ['an address without code', '0x'],
    ['an empty answer', ''],
    ['text that is not hex', 'code'],
    ['an EIP-1167 proxy', `0x363d3d373d3d3d363d73${'ab'.repeat(20)}5af43d82803e903d91602b57fd5bf3`],
    ['a delegation to another address (EIP-7702)', `0xef0100${'ab'.repeat(20)}`],
    ['the code with a byte appended', `${code}00`],
    ['the code with a byte before it', `0x00${code.slice(2)}`],
    ['the code cut by a byte', code.slice(0, -2)],
    ['the creation code', artifact.bytecode],
    ['zeros of the right size', `0x${'00'.repeat(size)}`],
  ])('rejects %s', (_, other) => {
    expect(isTicketCode(other)).toBe(false);
  });
});

describe('computeCodeHash', () => {
  it('depends on all bytes except the masked ones', () => {
    const masked = [{ start: 1, length: 2 }];
    const hash = computeCodeHash(Uint8Array.of(1, 2, 3, 4), masked);
    expect(computeCodeHash(Uint8Array.of(1, 8, 9, 4), masked)).toBe(hash);
    expect(computeCodeHash(Uint8Array.of(1, 2, 3, 5), masked)).not.toBe(hash);
    expect(computeCodeHash(Uint8Array.of(0, 2, 3, 4), masked)).not.toBe(hash);
  });
});
