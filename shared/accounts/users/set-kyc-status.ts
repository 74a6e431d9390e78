import { transact } from '../../dynamo/write.ts';
import { insertAuditEntry } from '../audit/store.ts';
import { getUser, updateUser } from './store.ts';
import type { User } from './user.ts';

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
