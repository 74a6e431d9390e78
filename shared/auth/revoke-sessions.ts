import { forbidden } from '../errors.ts';
import { deleteAllSessions, getUser } from './store.ts';
import type { AccessClaims } from './tokens.ts';

/**
 * Ends all sessions of a user; access tokens that are out there run on for what is left of their 15 minutes.
 * @throws DomainError 403 unless asked by the user or an ADMIN; 404 when there is no such user
 */
export async function revokeSessions(userId: string, caller: AccessClaims): Promise<void> {
  if (caller.userId !== userId && caller.role !== 'ADMIN') {
    throw forbidden('Only administrators may end the sessions of others');
  }
  const user = await getUser(userId);
  await deleteAllSessions(user.id);
}
