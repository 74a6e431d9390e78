import { conflict } from '../../core/errors.ts';
import { retry } from '../../runtime/retry.ts';
import { type AccessClaims, invalidToken } from '../../runtime/tokens.ts';
import { getLiveSession } from '../auth/step-up.ts';
import { countPasskey, getUser, PasskeyAdded } from '../users/store.ts';
import { writeAndAnnounce } from './announce.ts';
import { formatRecoveryCode, newRecoveryCodes } from './change-factors.ts';
import type { Passkey, RegistrationResponse } from './factor.ts';
import { insertPasskey, insertRecoveryCode, readFactors, refusing } from './store.ts';
import { createRegistrationOptions, notRegistered, verifyRegistration } from './webauthn.ts';

/** With it, the writes that remove all second factors fit in one transaction of 100 items. */
const maximumPasskeys = 20;

/** Returns the options of a new passkey. @throws DomainError 409 `too-many-passkeys` */
export async function beginPasskey({ userId, sessionId }: AccessClaims) {
  const [user, { passkeys }] = await Promise.all([getUser(userId), readFactors(userId)]);
  requireRoom(passkeys);
  return createRegistrationOptions(user, sessionId, passkeys);
}

function requireRoom(passkeys: readonly Passkey[]): void {
  if (passkeys.length >= maximumPasskeys) throw conflict('too-many-passkeys', 'You have 20 passkeys already');
}

interface PasskeyAddition {
  name?: string | undefined;
  response: RegistrationResponse;
}

/**
 * Adds a passkey to an account. It comes with recovery codes when the account has none.
 * @throws DomainError 400 `invalid-passkey`; 401 for a session that has ended; 409 `too-many-passkeys`, also for one whose
 * options were given out before, and `busy` after concurrent additions
 */
export function addPasskey(
  caller: AccessClaims,
  addition: PasskeyAddition,
): Promise<{ passkey: Passkey; recoveryCodes?: string[] }> {
  return retry(() => tryAddPasskey(caller, addition), {
    isRetryable: (error) => error instanceof PasskeyAdded,
    exhaustedError: () => conflict('busy', 'Passkeys are being added right now, please try again', 1),
  });
}

async function tryAddPasskey(caller: AccessClaims, { name = 'Passkey', response }: PasskeyAddition) {
  const { userId, sessionId } = caller;
  // Before the passkeys: the transaction then finds out about any that is added meanwhile.
  const owner = await getLiveSession(caller);
  const { credential, challengeWrite } = await verifyRegistration(userId, sessionId, response);
  const createdAt = new Date().toISOString();
  const passkey = { ...credential, userId, name, createdAt, lastUsedAt: null };
  const { passkeys, recoveryCodes: count } = await readFactors(userId);
  requireRoom(passkeys);
  const recoveryCodes = count === 0 ? newRecoveryCodes() : undefined;
  const codeWrites = (recoveryCodes ?? []).map((code) => insertRecoveryCode(userId, code, passkey.id));
  await refusing(notRegistered(), () =>
    writeAndAnnounce(userId, 'passkey-added', [
      countPasskey(userId, owner, invalidToken()),
      challengeWrite,
      insertPasskey(passkey),
      ...codeWrites,
    ]),
  );
  return { passkey, ...(recoveryCodes && { recoveryCodes: recoveryCodes.map(formatRecoveryCode) }) };
}
