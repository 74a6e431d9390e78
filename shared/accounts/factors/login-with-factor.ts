import type { Device } from '../../core/device.ts';
import { unauthenticated } from '../../core/errors.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import { type NewSession, prepareSession } from '../auth/sessions.ts';
import { findSessionOwner } from '../users/store.ts';
import { isClosed, type SignedIn, type User } from '../users/user.ts';
import type { AuthenticationResponse, Proof } from './factor.ts';
import { verifyProof, wrongCode } from './proofs.ts';
import { findChallenge, readFactors, refusing, useChallenge } from './store.ts';
import { createAuthenticationOptions, verifyPasskey, wrongPasskey } from './webauthn.ts';

/**
 * Returns the options for a passkey: of a login, or of the confirmation of the caller's session.
 * @param challenge the challenge of a login whose password was right: its user's passkeys are named, for keys that do not
 * store who they belong to
 */
export async function beginPasskeyLogin(caller: AccessClaims | undefined, challenge: string | undefined) {
  if (caller) {
    const { userId, sessionId } = caller;
    return createAuthenticationOptions(
      { kind: 'confirm', userId, sessionId },
      (await readFactors(userId)).passkeys,
    );
  }
  const { userId } = (challenge && (await findChallenge(challenge))) || {};
  return createAuthenticationOptions({ kind: 'login' }, userId ? (await readFactors(userId)).passkeys : []);
}

/** Logs a user in with a passkey. @throws DomainError 401 `wrong-credentials` */
export async function loginWithPasskey(response: AuthenticationResponse, device: Device): Promise<SignedIn> {
  const { userId, writes } = await verifyPasskey(response, ({ kind }) => kind === 'login');
  const owner = await findSessionOwner(userId);
  if (!owner || isClosed(owner.user)) throw wrongPasskey();
  const session = await prepareSession(owner, owner.sessionVersion, { device, isConfirmed: true });
  return open(owner.user, session, writes, wrongPasskey());
}

/**
 * Completes a login whose password was right with a second factor.
 * @throws DomainError 401 `invalid-challenge`, `wrong-credentials`; 429 after too many attempts
 */
export async function completeLogin(
  { challenge: text, ...proof }: Proof & { challenge: string },
  device: Device,
): Promise<SignedIn> {
  const challenge = await findChallenge(text);
  const { kind, userId = '', sessionVersion = 0 } = challenge ?? {};
  const owner = kind === 'second-factor' ? await findSessionOwner(userId) : undefined;
  // A new password since then has ended the login.
  if (!owner || isClosed(owner.user) || owner.sessionVersion !== sessionVersion) throw invalidChallenge();
  const writes = await verifyProof(userId, proof, ({ kind }) => kind === 'login');
  const session = await prepareSession(owner, sessionVersion, { device, isConfirmed: true });
  return open(owner.user, session, [useChallenge(text), ...writes], wrongCode());
}

/** Opens a session in the transaction that uses a proof up. @throws `refusal` when it was used meanwhile */
async function open(
  user: User,
  { token, refreshToken, writes, mails }: NewSession,
  proofWrites: readonly Write[],
  refusal: Error,
): Promise<SignedIn> {
  await refusing(refusal, () => transact([...proofWrites, ...writes]));
  await queueMails(mails);
  return { user, token, refreshToken };
}

const invalidChallenge = () => unauthenticated('Please log in again', 'invalid-challenge');
