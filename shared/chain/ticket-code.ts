import { keccak256 } from 'ethers/crypto';
import { getBytes, isHexString } from 'ethers/utils';
import { compiledCode } from './compiled-code.ts';

/** A range of runtime code that may differ between deployments of the contract, in bytes. */
export interface MaskedRange {
  start: number;
  length: number;
}

/**
 * Returns whether runtime code is that of the ticket contract. It compares every byte outside the masked ranges:
 * immutables, and the digest of the sources, which is never executed. A proxy is never accepted, since its owner can
 * change the implementation. Another constructor may have written other storage for the same code, so callers still
 * have to check what the contract returns.
 * @param runtimeCode the result of `eth_getCode`, hex with 0x
 */
export function isTicketCode(runtimeCode: string): boolean {
  const { size, masked, codeHash } = compiledCode;
  return isHexString(runtimeCode, size) && computeCodeHash(getBytes(runtimeCode), masked) === codeHash;
}

/** Returns the keccak256 hash of runtime code with the masked ranges as zeros; hex with 0x. */
export function computeCodeHash(code: Uint8Array, masked: readonly MaskedRange[]): string {
  const copy = code.slice();
  for (const { start, length } of masked) copy.fill(0, start, start + length);
  return keccak256(copy);
}
