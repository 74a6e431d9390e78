import { operatorActor } from '../audit/audit.ts';
import { insertAuditEntry } from '../audit/store.ts';
import { findCredential } from '../auth/store.ts';
import { notFound } from '../core/errors.ts';
import { transact } from '../dynamo/write.ts';
import { getUser, updateUser } from './store.ts';
import type { RoleGrant, User } from './user.ts';

/**
 * Changes a user's role, effective from the next login or token refresh.
 * @throws DomainError 404 for an unknown e-mail
 */
export async function grantRole({ email, role }: RoleGrant): Promise<User> {
  const credential = await findCredential(email);
  if (!credential) throw notFound('User');
  const before = await getUser(credential.userId);
  if (before.role === role) return before;
  await transact([
    updateUser(before, { role }, new Date().toISOString()),
    insertAuditEntry({
      action: 'role-granted',
      by: operatorActor,
      details: { userId: before.id, role, before: before.role },
    }),
  ]);
  return { ...before, role };
}
