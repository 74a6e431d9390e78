import { prepareSession } from '../auth/sessions.ts';
import { consumeChallenge } from '../auth/wallet-challenge.ts';
import type { SignedMessage } from '../auth/wallet-request.ts';
import { unauthenticated } from '../core/errors.ts';
import { transact } from '../dynamo/write.ts';
import { findSessionOwner } from '../users/store.ts';
import { type ProvedWallet, proveWallet } from './prove-wallet.ts';
import { findWallet, type LinkedWallet, requireWallet, WalletUnlinked } from './store.ts';

/**
 * Opens a session for the user whose linked wallet signed a challenge. A challenge works once.
 * @throws DomainError 401 `invalid-signature`; 401 `unknown-wallet` for a wallet that is not linked; 503 when the
 * signature needs a chain that does not answer
 */
export async function loginWithWallet(signed: SignedMessage) {
  const proved = await proveWallet(signed, { purpose: 'login', userId: undefined });
  const wallet = await findWallet(proved.address);
  if (!wallet || !isSameWallet(wallet, proved)) throw unknownWallet();
  const owner = await findSessionOwner(wallet.userId);
  if (!owner) throw unknownWallet();
  const { user, sessionVersion } = owner;
  const { token, refreshToken, sessionWrite } = await prepareSession(user, sessionVersion);
  try {
    await transact([consumeChallenge(proved.challenge), requireWallet(wallet), sessionWrite]);
  } catch (error) {
    throw error instanceof WalletUnlinked ? unknownWallet() : error;
  }
  return { user, token, refreshToken };
}

/**
 * Returns whether the linked wallet is the proved one. A contract wallet is linked on one chain only, since someone
 * else may own its address on another chain.
 */
function isSameWallet(linked: LinkedWallet, proved: ProvedWallet): boolean {
  return proved.chainId === undefined || linked.chainId === undefined || linked.chainId === proved.chainId;
}

const unknownWallet = () =>
  unauthenticated('No account has linked this wallet. Log in by e-mail, then link it.', 'unknown-wallet');
