import { notFound } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import { operatorActor } from '../audit/audit.ts';
import { insertAuditEntry } from '../audit/store.ts';
import { findCredential } from '../auth/store.ts';
import { getUser, updateUser } from './store.ts';
import type { RoleGrant, User } from './user.ts';

/**
 * Changes a user's role, effective from the next login or token refresh.
 * @throws DomainError 404 for an unknown e-mail
 */
export async function grantRole({ email, role }: RoleGrant): Promise<User> {
  const credential = await findCredential(email);
  if (!credential) throw notFound('User');
  const user = await getUser(credential.userId);
  if (user.role === role) return user;
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
