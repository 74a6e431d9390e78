import type * as z from 'zod';
import { forbidden, notFound } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import { type AccessClaims, invalidToken } from '../../runtime/tokens.ts';
import { operatorActor } from '../audit/audit.ts';
import { insertAuditEntry } from '../audit/store.ts';
import { getLiveSession } from '../auth/step-up.ts';
import { findCredential } from '../auth/store.ts';
import { writeAndAnnounce } from '../factors/announce.ts';
import { changeUser, changeUserInSession, getSessionOwner, getUser, updateUser } from './store.ts';
import type { profileChange, RoleGrant, User } from './user.ts';

/**
 * Changes a user's role, effective from the next login or token refresh.
 * @param options.isUnconfirmed whether the account's address need not be confirmed: somebody else may have registered with it
 * @throws DomainError 404 for an unknown e-mail; 403 for a role of an account that has not confirmed its address in a session
 */
export async function grantRole({ email, role }: RoleGrant, { isUnconfirmed = false } = {}): Promise<User> {
  const credential = await findCredential(email);
  if (!credential) throw notFound('User');
  const { user, ownsAddress } = await getSessionOwner(credential.userId);
  if (user.role === role) return user;
  // Taking a role away needs no confirmation.
  if (role !== 'USER' && !isUnconfirmed && !(user.emailVerified && ownsAddress)) {
    throw forbidden(
      'The account has not confirmed its address while signed in: somebody else may have registered with it',
      'email-not-verified',
    );
  }
  await transact([
    updateUser(user, { role }, new Date().toISOString()),
    insertAuditEntry({
      action: 'role-granted',
      by: operatorActor,
      details: { userId: user.id, role, before: user.role },
    }),
  ]);
  return { ...user, role };
}

/**
 * Changes a user's own name or wallet. For the wallet, the session must not have ended, also when it is stored: somebody else
 * could set it again and again while the owner of the address recovers the account. The owner is mailed about another wallet,
 * to which new tickets are minted.
 * @throws DomainError 404 for an unknown user; 401 for a session that has ended
 */
export async function changeProfile(
  caller: AccessClaims,
  change: z.infer<typeof profileChange>,
): Promise<User> {
  const { userId } = caller;
  if (change.walletAddress === undefined) return changeUser(userId, change, new Date().toISOString());
  const { user, sessionVersion } = await getLiveSession(caller);
  const isEntered = change.walletAddress !== null && change.walletAddress !== user.walletAddress;
  const writes = [changeUserInSession(userId, change, sessionVersion, invalidToken())];
  await (isEntered ? writeAndAnnounce(userId, 'wallet-entered', writes) : transact(writes));
  return getUser(userId);
}

/** Records an ADMIN's decision on a user's identity. @throws DomainError 404 for an unknown user */
export async function setKycStatus(
  userId: string,
  status: User['kycStatus'],
  adminId: string,
): Promise<User> {
  const user = await getUser(userId);
  if (user.kycStatus === status) return user;
  const change = { kycStatus: status };
  await transact([
    updateUser(user, change, new Date().toISOString()),
    insertAuditEntry({
      action: 'kyc-changed',
      by: { type: 'admin', userId: adminId },
      details: { userId, status, before: user.kycStatus },
    }),
  ]);
  return { ...user, ...change };
}
