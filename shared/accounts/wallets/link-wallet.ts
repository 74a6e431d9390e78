import { DomainError, unauthenticated } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import { insertMail, queueMails } from '../../messaging/outbox/store.ts';
import { getUserWithWallet, setLinkedWallet } from '../users/store.ts';
import { isClosed, type User } from '../users/user.ts';
import { putWallet, removeWallet } from './store.ts';
import { retryOnWalletChange } from './unlink-wallet.ts';
import { consumeChallenge, proveWallet } from './wallet-challenge.ts';
import type { SignedMessage } from './wallet-request.ts';

/**
 * Links the wallet of a signed challenge to an account, in place of an earlier wallet, and mails this to the account's
 * address. New tickets are minted to this wallet.
 * @throws DomainError 401 `invalid-signature`; 401 `unauthenticated` for a closed account; 409 `wallet-taken` when the
 * wallet is linked to another account, `busy` after concurrent changes; 503 when the signature can only be
 * verified on chain and the chain does not answer
 */
export async function linkWallet(userId: string, signedMessage: SignedMessage): Promise<User> {
  const { challenge, ...provedWallet } = await proveWallet(signedMessage, { purpose: 'link', userId });
  const { address } = provedWallet;
  const linkedAt = new Date().toISOString();
  const mail = { kind: 'wallet-linked', userId, walletAddress: address, linkedAt } as const;
  const linkedUser = await retryOnWalletChange(async () => {
    const { user, linkedWallet } = await getUserWithWallet(userId);
    if (isClosed(user)) throw unauthenticated('Authentication required');
    const earlierWallet = linkedWallet !== undefined && linkedWallet !== address ? linkedWallet : undefined;
    try {
      await transact([
        consumeChallenge(challenge),
        putWallet({ ...provedWallet, userId }),
        ...(earlierWallet === undefined ? [] : [removeWallet(earlierWallet, userId)]),
        setLinkedWallet(userId, linkedWallet, { linkedWallet: address, walletAddress: address }),
        ...insertMail(mail, userId),
      ]);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'invalid-signature') throw error;
      // An earlier attempt of this request may have linked the wallet, in the transaction that used the challenge.
      const current = await getUserWithWallet(userId);
      if (current.linkedWallet !== address) throw error;
      return current.user;
    }
    return (await getUserWithWallet(userId)).user;
  });
  await queueMails([{ content: mail }]);
  return linkedUser;
}
