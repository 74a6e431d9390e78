import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import release1 from '../../../infra/contracts/releases/1.json' with { type: 'json' };
import release2 from '../../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { computeCodeHash } from '../../../shared/chain/code-hash.ts';
import { findRelease } from '../../../shared/chain/release.ts';
import { releases } from '../../../shared/chain/releases.ts';
import { ticketInterfaceId } from '../../../shared/chain/ticket-contract.ts';

const codes = [release1.deployedBytecode, release2.deployedBytecode];

describe('findRelease', () => {
  it.each([1, 2])('recognises the code of release %i', (version) => {
    expect(findRelease(codes[version - 1] as string)).toBe(releases[version - 1]);
    expect(releases[version - 1]?.version).toBe(version);
  });

  it('ignores the case of the hex digits', () => {
    expect(findRelease(`0x${release1.deployedBytecode.slice(2).toUpperCase()}`)?.version).toBe(1);
  });

  it.each(releases)(
    'rejects code that differs from release $version in one byte',
    ({ version, masked, size }) => {
      const code = Buffer.from((codes[version - 1] as string).slice(2), 'hex');
      const isMasked = (offset: number) =>
        masked.some(({ start, length }) => offset >= start && offset < start + length);
      const changeByte = (offset: number, mask: number) => {
        const copy = Buffer.from(code);
        copy[offset] = (copy[offset] as number) ^ mask;
        return `0x${copy.toString('hex')}`;
      };
      // The first and last bytes, the bytes around the masked ranges, and random ones.
      const edges = [0, size - 1, ...masked.flatMap(({ start, length }) => [start - 1, start + length])];
      for (const offset of edges)
        expect([offset, findRelease(changeByte(offset, 1))]).toEqual([offset, undefined]);
      fc.assert(
        fc.property(fc.nat(size - 1), fc.integer({ min: 1, max: 255 }), (offset, mask) => {
          expect(findRelease(changeByte(offset, mask))?.version).toBe(isMasked(offset) ? version : undefined);
        }),
        { numRuns: 300 },
      );
    },
  );

  it('accepts code built from sources that differ in comments only', () => {
    // Comments change only the digest of the sources, which is masked.
    const code = Buffer.from(release1.deployedBytecode.slice(2), 'hex');
    for (const { start, length } of releases[0]?.masked ?? []) code.fill(0xab, start, start + length);
    expect(findRelease(`0x${code.toString('hex')}`)?.version).toBe(1);
  });

  it.each([
    ['an address without code', '0x'],
    ['an empty answer', ''],
    ['text that is not hex', 'code'],
    ['an EIP-1167 proxy', `0x363d3d373d3d3d363d73${'ab'.repeat(20)}5af43d82803e903d91602b57fd5bf3`],
    ['a delegation to another address (EIP-7702)', `0xef0100${'ab'.repeat(20)}`],
    ['a release with a byte appended', `${release1.deployedBytecode}00`],
    ['a release with a byte before it', `0x00${release2.deployedBytecode.slice(2)}`],
    ['a release cut by a byte', release2.deployedBytecode.slice(0, -2)],
    ['a release followed by another', release1.deployedBytecode + release2.deployedBytecode.slice(2)],
    ['a release’s creation code', release2.bytecode],
    ['zeros of the right size', `0x${'00'.repeat(releases[0]?.size ?? 0)}`],
  ])('rejects %s', (_, code) => {
    expect(findRelease(code)).toBeUndefined();
  });
});

describe('the list of releases', () => {
  it('has the same interface id for all releases', () => {
    expect(releases.map(({ interfaceId }) => interfaceId)).toEqual(releases.map(() => ticketInterfaceId));
  });

  it('has no capabilities for release 1, and all for release 2', () => {
    const capabilitySets = releases.map(({ capabilities }) => Object.values(capabilities));
    expect(capabilitySets.map((values) => values.every(Boolean))).toEqual([false, true]);
    expect(capabilitySets.map((values) => values.some(Boolean))).toEqual([false, true]);
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
