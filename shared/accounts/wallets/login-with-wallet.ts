import type { Device } from '../../core/device.ts';
import { unauthenticated } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { prepareSession } from '../auth/sessions.ts';
import { findSessionOwner } from '../users/store.ts';
import { isClosed } from '../users/user.ts';
import { findWallet, type LinkedWallet, requireLinkedWallet, WalletUnlinked } from './store.ts';
import { consumeChallenge, type ProvedWallet, proveWallet } from './wallet-challenge.ts';
import type { SignedMessage } from './wallet-request.ts';

/**
 * Opens a session for the user whose linked wallet signed a challenge. A challenge works once.
 * @param ip the caller's IP address
 * @throws DomainError 401 `unknown-wallet` for a wallet that is not linked; as `proveWallet`
 */
export async function loginWithWallet(signedMessage: SignedMessage, ip: string, device: Device) {
  const provedWallet = await proveWallet(signedMessage, { purpose: 'login', userId: undefined }, ip);
  const wallet = await findWallet(provedWallet.address);
  if (!wallet || !isSameWallet(wallet, provedWallet)) throw unknownWallet();
  const owner = await findSessionOwner(wallet.userId);
  if (!owner || isClosed(owner.user)) throw unknownWallet();
  const { user, sessionVersion } = owner;
  const { token, refreshToken, writes, mails } = await prepareSession(owner, sessionVersion, {
    device,
    isConfirmed: false,
  });
  try {
    await transact([consumeChallenge(provedWallet.challenge), requireLinkedWallet(wallet), ...writes]);
  } catch (error) {
    throw error instanceof WalletUnlinked ? unknownWallet() : error;
  }
  await queueMails(mails);
  return { user, token, refreshToken };
}

/**
 * Returns whether two wallets with the same address are the same wallet. A contract wallet is linked on one chain only,
 * since someone else may own its address on another chain.
 */
function isSameWallet(linkedWallet: LinkedWallet, provedWallet: ProvedWallet): boolean {
  return (
    provedWallet.chainId === undefined ||
    linkedWallet.chainId === undefined ||
    linkedWallet.chainId === provedWallet.chainId
  );
}

const unknownWallet = () =>
  unauthenticated('No account has linked this wallet. Log in by e-mail, then link it.', 'unknown-wallet');
