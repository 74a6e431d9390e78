import { keccak256 } from 'ethers/crypto';

/** A range of runtime code that may differ between deployments of one release, in bytes. */
export interface MaskedRange {
  start: number;
  length: number;
}

/** Returns the keccak256 hash of runtime code with the masked ranges as zeros; hex with 0x. */
export function computeCodeHash(code: Uint8Array, masked: readonly MaskedRange[]): string {
  const copy = code.slice();
  for (const { start, length } of masked) copy.fill(0, start, start + length);
  return keccak256(copy);
}
