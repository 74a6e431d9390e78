import { getBytes, isHexString } from 'ethers/utils';
import { codeHash } from './code-hash.ts';
import { type Release, releases } from './releases.ts';

/**
 * The release of the ticket contract that this code belongs to. Every byte counts, except for the masked ranges of
 * the release: immutables, and the digest of the sources, which is never executed. A proxy is no release, whichever
 * it points to, since its owner can exchange the code behind it. The code says nothing about storage, which a
 * constructor of the deployer's own may have filled: what such a contract answers has to be checked as before.
 * @param runtimeCode what `eth_getCode` returns: hex with 0x
 * @returns undefined for any other code, and where there is none
 */
export function releaseOf(runtimeCode: string): Release | undefined {
  const candidates = releases.filter(({ size }) => isHexString(runtimeCode, size));
  if (candidates.length === 0) return undefined;
  const code = getBytes(runtimeCode);
  return candidates.find((release) => codeHash(code, release.masked) === release.codeHash);
}
