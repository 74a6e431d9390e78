import { conflict } from '../../core/errors.ts';
import { type AccessClaims, invalidToken } from '../../runtime/tokens.ts';
import { getLiveSession } from '../auth/step-up.ts';
import { getUser, requireSessionVersion } from '../users/store.ts';
import { writeAndAnnounce } from './announce.ts';
import { formatRecoveryCode, newRecoveryCodes } from './change-factors.ts';
import type { Passkey, RegistrationResponse } from './factor.ts';
import { insertPasskey, insertRecoveryCode, readFactors, refusing } from './store.ts';
import { createRegistrationOptions, notRegistered, verifyRegistration } from './webauthn.ts';

const maximumPasskeys = 20;

/** Returns the options of a new passkey. @throws DomainError 409 `too-many-passkeys` */
export async function beginPasskey({ userId, sessionId }: AccessClaims) {
  const [user, { passkeys }] = await Promise.all([getUser(userId), readFactors(userId)]);
  if (passkeys.length >= maximumPasskeys) throw conflict('too-many-passkeys', 'You have 20 passkeys already');
  return createRegistrationOptions(user, sessionId, passkeys);
}

/**
 * Adds a passkey to an account. The first second factor of an account comes with recovery codes.
 * @throws DomainError 400 `invalid-passkey`; 401 for a session that has ended
 */
export async function addPasskey(
  caller: AccessClaims,
  { name = 'Passkey', response }: { name?: string | undefined; response: RegistrationResponse },
): Promise<{ passkey: Passkey; recoveryCodes?: string[] }> {
  const { userId, sessionId } = caller;
  const { sessionVersion } = await getLiveSession(caller);
  const { credential, challengeWrite } = await verifyRegistration(userId, sessionId, response);
  const createdAt = new Date().toISOString();
  const passkey = { ...credential, userId, name, createdAt, lastUsedAt: null };
  const { recoveryCodes: count } = await readFactors(userId);
  const recoveryCodes = count === 0 ? newRecoveryCodes() : undefined;
  const codeWrites = (recoveryCodes ?? []).map((code) => insertRecoveryCode(userId, code));
  await refusing(notRegistered(), () =>
    writeAndAnnounce(userId, 'passkey-added', [
      requireSessionVersion(userId, sessionVersion, invalidToken()),
      challengeWrite,
      insertPasskey(passkey),
      ...codeWrites,
    ]),
  );
  return { passkey, ...(recoveryCodes && { recoveryCodes: recoveryCodes.map(formatRecoveryCode) }) };
}
