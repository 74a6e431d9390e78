import type { Fees } from '../chain/fees.ts';
import type { Draft } from '../chain/minter.ts';
import type { NonceReference } from './mint-transaction.ts';

/** Plenty for a transfer of nothing, also on rollups, where 21,000 is not enough. */
const gasLimit = 200_000n;

/** A transaction that does nothing but use up a nonce: its signer sends itself nothing. */
export function closing({ chainId, signer, nonce }: NonceReference, fees: Fees): Draft {
  return { ...fees, chainId, nonce, to: signer, data: '0x', gasLimit };
}

export function isClosing({ data }: Draft): boolean {
  return data === '0x';
}
