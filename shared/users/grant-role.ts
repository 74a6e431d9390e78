import { findCredential } from '../auth/store.ts';
import { notFound } from '../core/errors.ts';
import { changeUser } from './store.ts';
import type { RoleGrant, User } from './user.ts';

/**
 * Changes a user's role, effective from the next login or token refresh.
 * @throws DomainError 404 for an unknown e-mail
 */
export async function grantRole({ email, role }: RoleGrant): Promise<User> {
  const credential = await findCredential(email);
  if (!credential) throw notFound('User');
  return changeUser(credential.userId, { role }, new Date().toISOString());
}
