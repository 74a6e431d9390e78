import type { Outcome } from '../../chain/outcome.ts';
import { decodeTransaction, type Fees, type TransactionDraft } from '../../chain/transactions.ts';
import type { MintTransaction, NonceReference } from './transaction.ts';

/** Enough gas for an empty transfer, also on rollups, where 21,000 is too little. */
const selfTransferGas = 200_000n;

/**
 * Builds the transaction that cancels a nonce: the signer sends an empty transfer to itself, which uses the nonce.
 * @param refusedDraft the attempt that the nodes refused. If it is a self-transfer too, its gas limit was too low, and is
 * doubled
 */
export function selfTransfer(
  { chainId, signer, nonce }: NonceReference,
  fees: Fees,
  refusedDraft?: TransactionDraft,
): TransactionDraft {
  const gasLimit =
    refusedDraft && isSelfTransfer(refusedDraft) ? 2n * refusedDraft.gasLimit : selfTransferGas;
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  return { maxFeePerGas, maxPriorityFeePerGas, chainId, nonce, to: signer, data: '0x', gasLimit };
}

export function isSelfTransfer({ data }: TransactionDraft): boolean {
  return data === '0x';
}

/** Returns whether a self-transfer used the nonce. Then its mint or burn did not happen. */
export function isCancelledBy({ attempts }: MintTransaction, { hash }: Outcome): boolean {
  return attempts.some(({ raw }) => {
    const signedTransaction = decodeTransaction(raw);
    return signedTransaction.hash === hash && isSelfTransfer(signedTransaction);
  });
}
