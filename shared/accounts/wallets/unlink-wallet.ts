import { conflict } from '../../core/errors.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { retry } from '../../runtime/retry.ts';
import {
  confirmAndClearWallet,
  getUserWithWallet,
  setLinkedWallet,
  UserChanged,
  type WalletClearing,
} from '../users/store.ts';
import type { User } from '../users/user.ts';
import { removeWallet, WalletUnlinked } from './store.ts';

/**
 * Unlinks an account's wallet, if it has one. Tickets are still minted to the wallet's address.
 * @throws DomainError 409 `busy` after concurrent changes
 */
export function unlinkWallet(userId: string): Promise<User> {
  return retryOnWalletChange(async () => {
    const { user, linkedWallet } = await getUserWithWallet(userId);
    if (linkedWallet === undefined) return user;
    await transact([
      removeWallet(linkedWallet, userId),
      setLinkedWallet(userId, linkedWallet, { linkedWallet: undefined }),
    ]);
    return { ...user, walletVerified: false };
  });
}

/**
 * Runs an operation that reads a linked wallet and changes it, and repeats it when the wallet changes in between.
 * @throws DomainError 409 `busy`; the errors of `operation`
 */
export function retryOnWalletChange<Result>(operation: () => Promise<Result>): Promise<Result> {
  return retry(operation, {
    isRetryable: (error) => error instanceof UserChanged || error instanceof WalletUnlinked,
    exhaustedError: () => conflict('busy', 'Your wallet is being changed right now, please try again', 1),
  });
}

/**
 * Confirms a user's address for a person who has proved that it is theirs, and clears the wallet. Another
 * person may have entered or linked it, and would receive the tickets. Minted tokens stay where they are.
 * @param otherWrites writes of the same transaction
 * @throws DomainError 404 for an unknown user, 409 `busy` after concurrent changes; the errors of `otherWrites`
 */
export function confirmWithoutWallet(
  userId: string,
  { otherWrites = [], ...options }: WalletClearing & { otherWrites?: readonly Write[] },
): Promise<void> {
  return retryOnWalletChange(async () => {
    const { linkedWallet } = await getUserWithWallet(userId);
    await transact([
      ...otherWrites,
      confirmAndClearWallet(userId, linkedWallet, options),
      ...(linkedWallet === undefined ? [] : [removeWallet(linkedWallet, userId)]),
    ]);
  });
}
