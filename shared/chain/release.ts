import { getBytes, isHexString } from 'ethers/utils';
import { computeCodeHash } from './code-hash.ts';
import { type Release, releases } from './releases.ts';

/**
 * Returns the release of the ticket contract that runtime code belongs to. It compares every byte outside the release's
 * masked ranges: immutables, and the digest of the sources, which is never executed. A proxy is never a release, since
 * its owner can change the implementation. Another constructor may have written other storage for the same code, so
 * callers still have to check what the contract returns.
 * @param runtimeCode the result of `eth_getCode`, hex with 0x
 * @returns undefined for any other code, and for an address without code
 */
export function findRelease(runtimeCode: string): Release | undefined {
  const candidates = releases.filter(({ size }) => isHexString(runtimeCode, size));
  if (candidates.length === 0) return undefined;
  const code = getBytes(runtimeCode);
  return candidates.find((release) => computeCodeHash(code, release.masked) === release.codeHash);
}
