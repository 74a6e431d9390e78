import type { Outcome } from '../../chain/outcome.ts';
import { type Draft, type Fees, readSigned } from '../../chain/transactions.ts';
import type { MintTransaction, NonceReference } from './transaction.ts';

/** Enough for an empty transfer, also on rollups, where 21,000 is too little. */
const selfTransferGas = 200_000n;

/**
 * Returns the transaction that cancels a nonce: it only uses the nonce up, since the signer sends itself nothing.
 * @param before the attempt that it replaces. When that is a self-transfer whose gas limit the nodes refuse, this one
 * has twice as much.
 */
export function selfTransfer({ chainId, signer, nonce }: NonceReference, fees: Fees, before?: Draft): Draft {
  const gasLimit = before && isSelfTransfer(before) ? 2n * before.gasLimit : selfTransferGas;
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  return { maxFeePerGas, maxPriorityFeePerGas, chainId, nonce, to: signer, data: '0x', gasLimit };
}

export function isSelfTransfer({ data }: Draft): boolean {
  return data === '0x';
}

/** Whether the nonce was used by a self-transfer, so that what it was bound to did not happen. */
export function isCancelledBy({ attempts }: MintTransaction, { hash }: Outcome): boolean {
  return attempts.some(({ raw }) => {
    const signed = readSigned(raw);
    return signed.hash === hash && isSelfTransfer(signed);
  });
}
