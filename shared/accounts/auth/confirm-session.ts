import { unauthenticated } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact } from '../../dynamo/write.ts';
import { type AccessClaims, signAccessToken } from '../../runtime/tokens.ts';
import { type Confirmation, proofLimit, secondFactorsOf } from '../factors/factor.ts';
import { verifyProof, wrongCode } from '../factors/proofs.ts';
import { readFactors, refusing } from '../factors/store.ts';
import { countAttempt } from '../rate-limit.ts';
import type { SessionOwner } from '../users/user.ts';
import { verifyPassword } from './password.ts';
import { toClaims } from './sessions.ts';
import { confirmationRequired, getLiveSession } from './step-up.ts';
import { findCredential } from './store.ts';

/**
 * Confirms a session: with a second factor, or with the password of an account that has none.
 * @returns an access token that makes the session fresh
 * @throws DomainError 401 for a wrong proof, and for a session that has ended; 403 `confirmation-required` for the password
 * of an account with a second factor; 429 after too many attempts
 */
export async function confirmSession(
  caller: AccessClaims,
  { password, ...proof }: Confirmation,
): Promise<string> {
  const owner = await getLiveSession(caller);
  if (password === undefined) await useProof(caller, proof);
  else await requirePassword(owner, password);
  const confirmedAt = Math.floor(Date.now() / 1000);
  return signAccessToken({ ...toClaims(owner), sessionId: caller.sessionId, confirmedAt });
}

async function requirePassword({ user, sessionVersion }: SessionOwner, password: string): Promise<void> {
  const factors = await readFactors(user.id);
  if (secondFactorsOf(factors).length > 0) throw confirmationRequired(factors);
  await countAttempt(keys.attempts('PASSWORD', user.id), proofLimit);
  const credential = await findCredential(user.email);
  const isRight = await verifyPassword(password, credential?.passwordHash);
  // After a concurrent change of the password, the session may have ended.
  if (!isRight || credential?.sessionVersion !== sessionVersion) {
    throw unauthenticated('The password is wrong', 'wrong-credentials');
  }
}

async function useProof({ userId, sessionId }: AccessClaims, proof: Omit<Confirmation, 'password'>) {
  const writes = await verifyProof(
    userId,
    proof,
    (challenge) =>
      challenge.kind === 'confirm' && challenge.userId === userId && challenge.sessionId === sessionId,
  );
  await refusing(wrongCode(), () => transact(writes));
}
