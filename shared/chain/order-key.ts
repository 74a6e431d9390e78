import { AbiCoder } from 'ethers/abi';
import { keccak256 } from 'ethers/crypto';
import { required } from '../env.ts';

/** By this the contract knows an order for ever; stages never collide, even on one contract. */
export function orderKey(chainId: number, contract: string, orderId: string): string {
  const parts = [required('STAGE'), chainId, contract, orderId];
  return keccak256(AbiCoder.defaultAbiCoder().encode(['string', 'uint256', 'address', 'string'], parts));
}

/** The id of the order's first token; the others follow one by one. The last 16 bits of a key are ignored. */
export function firstTokenId(key: string): bigint {
  return (BigInt(key) >> 16n) << 16n;
}
