import * as z from 'zod';
import { conflict } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { check, put, remove, type Write } from '../../dynamo/write.ts';

/** A wallet that is linked to an account, as it is stored. */
const linkedWallet = z.object({
  /** Checksummed. */
  address: z.string(),
  userId: z.string(),
  /** The chain of a contract wallet; absent for a wallet with a private key. */
  chainId: z.number().optional(),
});
export type LinkedWallet = z.infer<typeof linkedWallet>;

/** The wallet is no longer linked to the account. */
export class WalletUnlinked extends Error {}

export async function findWallet(address: string): Promise<LinkedWallet | undefined> {
  const item = await getItem(keys.wallet(address));
  return item && linkedWallet.parse(item);
}

/**
 * Returns the write that links a wallet to an account. @throws DomainError 409 from the transaction when the wallet is
 * linked to another account
 */
export function putWallet(wallet: LinkedWallet): Write {
  return put(
    { ...keys.wallet(wallet.address), ...wallet },
    {
      when: 'attribute_not_exists(#pk) OR #userId = :userId',
      values: { userId: wallet.userId },
      orThrow: () => conflict('wallet-taken', 'The wallet is linked to another account'),
    },
  );
}

/** Returns the write that unlinks a wallet from an account. @throws WalletUnlinked from the transaction */
export function removeWallet(address: string, userId: string): Write {
  return remove(keys.wallet(address), whenLinkedTo(userId));
}

/** Returns the condition check that a wallet is linked to an account. @throws WalletUnlinked from the transaction */
export function requireLinkedWallet({ address, userId }: LinkedWallet): Write {
  return check(keys.wallet(address), whenLinkedTo(userId));
}

function whenLinkedTo(userId: string) {
  return { when: '#userId = :userId', values: { userId }, orThrow: () => new WalletUnlinked() };
}
