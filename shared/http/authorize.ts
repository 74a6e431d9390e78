import { verifyAccessToken } from '../auth/tokens.ts';
import { forbidden, unauthenticated } from '../core/errors.ts';
import type { Role } from '../users/user.ts';

/** Who is calling, as the access token says. */
export interface Caller {
  userId: string;
  email: string;
  role: Role;
}

/** Whom an endpoint serves: everybody, everybody but known when a token comes along, users, or some roles. */
export type CallerRule = 'anyone' | 'optional' | 'user' | 'organizer' | 'admin';

/** @throws DomainError 401 without a valid token, 403 when the role does not suffice. */
export async function identify(
  rule: CallerRule,
  authorization: string | undefined,
): Promise<Caller | undefined> {
  if (rule === 'anyone' || (rule === 'optional' && !authorization)) return undefined;
  const token = /^Bearer ([^\s]+)$/i.exec(authorization ?? '')?.[1];
  if (!token) throw unauthenticated('Authentication required');
  const caller = await verifyAccessToken(token);
  if (rule === 'organizer' && caller.role === 'USER') throw forbidden('Only organizers may do this');
  if (rule === 'admin' && caller.role !== 'ADMIN') throw forbidden('Only administrators may do this');
  return caller;
}
