import { type DomainError, forbidden } from '../../core/errors.ts';
import type { Write } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { type AccessClaims, invalidToken } from '../../runtime/tokens.ts';
import { requireApiKey } from '../api-keys/store.ts';
import { confirmationsOf, type Factors, secondFactorsOf } from '../factors/factor.ts';
import { readFactors } from '../factors/store.ts';
import { findSessionOwner, requireSessionVersion } from '../users/store.ts';
import type { SessionOwner } from '../users/user.ts';
import { findSessionById } from './store.ts';

/** How long a session is fresh after the user has proved who they are. */
const freshSeconds = 10 * 60;

/**
 * Requires a fresh session that has not ended, where the setting STEP_UP does.
 * @throws DomainError 403 `confirmation-required`; 401 when the session has ended
 */
export async function requireFreshSession(caller: AccessClaims): Promise<void> {
  if (optionalSetting('STEP_UP') !== 'true') return;
  await getLiveSession(caller);
  if ((caller.confirmedAt ?? 0) + freshSeconds > Date.now() / 1000) return;
  throw confirmationRequired(await readFactors(caller.userId));
}

/**
 * Requires what a payout needs: a second factor where the setting REQUIRE_SECOND_FACTOR does, then a fresh session.
 * @throws DomainError 403 `second-factor-required`; as `requireFreshSession`
 */
export async function requirePayoutSession(caller: AccessClaims): Promise<void> {
  if (optionalSetting('REQUIRE_SECOND_FACTOR') === 'payouts') {
    const factors = await readFactors(caller.userId);
    if (secondFactorsOf(factors).length === 0) {
      throw forbidden(
        'Please add a passkey or an authenticator app on your account page first',
        'second-factor-required',
      );
    }
  }
  await requireFreshSession(caller);
}

/** The error for a session that is not fresh, with what confirms it. */
export function confirmationRequired(factors: Factors): DomainError {
  const refusal = forbidden('Please confirm that it is you', 'confirmation-required');
  refusal.confirmWith = confirmationsOf(factors);
  return refusal;
}

/**
 * Returns the check that the caller's session or API key has not ended, for a transaction with what would outlive it.
 * @throws DomainError 401, also from the transaction
 */
export async function requireLiveCaller(caller: AccessClaims): Promise<Write> {
  if (caller.key) return requireApiKey(caller.key.id, invalidToken());
  const { sessionVersion } = await getLiveSession(caller);
  return requireSessionVersion(caller.userId, sessionVersion, invalidToken());
}

/**
 * Returns the user of a session that has not ended, for an access token that is not from before a change of the password:
 * somebody else may have a copy of that one.
 * @throws DomainError 401
 */
export async function getLiveSession({
  userId,
  sessionId,
  sessionVersion = 0,
}: AccessClaims): Promise<SessionOwner> {
  if (sessionId === undefined) throw invalidToken();
  const [session, owner] = await Promise.all([findSessionById(userId, sessionId), findSessionOwner(userId)]);
  if (!owner || owner.sessionVersion !== session?.version || owner.sessionVersion !== sessionVersion)
    throw invalidToken();
  return owner;
}
