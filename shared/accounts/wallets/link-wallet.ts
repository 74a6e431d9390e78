import { DomainError, unauthenticated } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import { insertMail, queueMails } from '../../messaging/outbox/store.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import { getLiveSession } from '../auth/step-up.ts';
import { getUserWithWallet, setLinkedWallet } from '../users/store.ts';
import { isClosed, type User } from '../users/user.ts';
import { putWallet, removeWallet } from './store.ts';
import { retryOnWalletChange } from './unlink-wallet.ts';
import { consumeChallenge, proveWallet } from './wallet-challenge.ts';
import type { SignedMessage } from './wallet-request.ts';

/**
 * Links the wallet of a signed challenge to an account, in place of an earlier wallet, and mails this to the account's
 * address. New tickets are minted to this wallet. The caller's session must not have ended, also when the wallet is stored:
 * somebody else could link it again and again while the owner of the address recovers the account.
 * @throws DomainError 401 `invalid-signature`; 401 `unauthenticated` for a closed account, 401 for a session that has ended;
 * 409 `wallet-taken` when the wallet is linked to another account, `busy` after concurrent changes; 429 and 503 when the signature can only be
 * verified on chain and the chain does not answer
 */
export async function linkWallet(caller: AccessClaims, signedMessage: SignedMessage): Promise<User> {
  const { userId } = caller;
  const { challenge, ...provedWallet } = await proveWallet(
    signedMessage,
    { purpose: 'link', userId },
    userId,
  );
  const { address } = provedWallet;
  const linkedAt = new Date().toISOString();
  const mail = { kind: 'wallet-linked', userId, walletAddress: address, linkedAt } as const;
  const linkedUser = await retryOnWalletChange(async () => {
    const { sessionVersion } = await getLiveSession(caller);
    const { user, linkedWallet } = await getUserWithWallet(userId);
    if (isClosed(user)) throw unauthenticated('Authentication required');
    const earlierWallet = linkedWallet !== undefined && linkedWallet !== address ? linkedWallet : undefined;
    try {
      await transact([
        consumeChallenge(challenge),
        putWallet({ ...provedWallet, userId }),
        ...(earlierWallet === undefined ? [] : [removeWallet(earlierWallet, userId)]),
        setLinkedWallet(
          userId,
          linkedWallet,
          { linkedWallet: address, walletAddress: address },
          sessionVersion,
        ),
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
