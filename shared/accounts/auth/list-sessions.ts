import * as z from 'zod';
import { notFound } from '../../core/errors.ts';
import { identifier, time } from '../../core/schemas.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import { getLiveSession } from './step-up.ts';
import { deleteAllSessions, deleteSession, querySessions } from './store.ts';

/** A session as the API shows it to its user. */
export const sessionView = z
  .object({
    id: identifier,
    createdAt: time,
    lastUsedAt: time.meta({ description: 'Exact to a few minutes' }),
    device: z.string().meta({ description: 'The browser and the system', examples: ['Firefox on Linux'] }),
    place: z
      .string()
      .nullable()
      .meta({ description: 'Where it was last used, as far as the CDN tells', examples: ['Lagos, Nigeria'] }),
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
  })
  .meta({ id: 'Session' });

/** Lists the sessions of a user, newest first. @throws DomainError 401 for a session that has ended */
export async function listSessions(caller: AccessClaims): Promise<z.infer<typeof sessionView>[]> {
  const { sessionVersion } = await getLiveSession(caller);
  const sessions = (await querySessions(caller.userId)).filter(({ version }) => version === sessionVersion);
  return sessions
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .map(({ id, createdAt, lastUsedAt, device, place = null }) => {
      return { id, createdAt, lastUsedAt, device, place, current: id === caller.sessionId };
    });
}

/**
 * Ends a session of the caller. A session that has ended can't end others.
 * @throws DomainError 401 for a session that has ended; 404 `session-not-found`
 */
export async function endSession(caller: AccessClaims, id: string): Promise<void> {
  const sessions = await listSessions(caller);
  if (!sessions.some((session) => session.id === id)) throw notFound('Session');
  await deleteSession(caller.userId, id);
}

/** Ends all sessions of the caller but the one of the request. @throws DomainError 401 for a session that has ended */
export async function endOtherSessions(caller: AccessClaims): Promise<void> {
  await getLiveSession(caller);
  await deleteAllSessions(caller.userId, caller.sessionId);
}
