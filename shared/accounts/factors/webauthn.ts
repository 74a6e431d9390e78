import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import { DomainError, invalid, unauthenticated } from '../../core/errors.ts';
import { splitList } from '../../core/schemas.ts';
import { transact, type Write, write } from '../../dynamo/write.ts';
import { optionalSetting, requiredSetting } from '../../runtime/config.ts';
import { log } from '../../runtime/telemetry.ts';
import { insertAuditEntry } from '../audit/store.ts';
import type { User } from '../users/user.ts';
import type { AuthenticationResponse, Passkey, RegistrationResponse } from './factor.ts';
import {
  type Challenge,
  findChallenge,
  findPasskey,
  newChallenge,
  recordPasskeyUse,
  useChallenge,
} from './store.ts';

/** The relying party of passkeys: the frontend's host. */
function relyingParty() {
  const publicUrl = new URL(requiredSetting('PUBLIC_URL'));
  return {
    id: publicUrl.hostname,
    origins: [...new Set([publicUrl.origin, ...splitList(optionalSetting('ALLOWED_ORIGINS') ?? '')])],
  };
}

/** Returns the options of a new passkey for a session, and stores their challenge. */
export async function createRegistrationOptions(
  { id: userId, email, name }: User,
  sessionId: string | undefined,
  passkeys: readonly Passkey[],
) {
  const { text, write: challengeWrite } = newChallenge({ kind: 'register-passkey', userId, sessionId });
  await write(challengeWrite);
  return generateRegistrationOptions({
    rpName: requiredSetting('SHOP_NAME'),
    rpID: relyingParty().id,
    userID: new Uint8Array(Buffer.from(userId)),
    userName: email,
    userDisplayName: name,
    challenge: new Uint8Array(Buffer.from(text, 'base64url')),
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
}

/** Returns the options of a login or a confirmation, and stores their challenge. */
export async function createAuthenticationOptions(
  challenge: Omit<Challenge, 'ttl'>,
  passkeys: readonly Passkey[],
) {
  const { text, write: challengeWrite } = newChallenge(challenge);
  await write(challengeWrite);
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: new Uint8Array(Buffer.from(text, 'base64url')),
    allowCredentials: passkeys.map(({ id }) => ({ id })),
    userVerification: 'required',
  });
}

/** @throws DomainError 400 unless a new passkey answers a challenge of this session */
export async function verifyRegistration(
  userId: string,
  sessionId: string | undefined,
  response: RegistrationResponse,
): Promise<{
  credential: Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'backedUp'>;
  challengeWrite: Write;
}> {
  const text = challengeOf(response);
  const challenge = await findChallenge(text);
  const isOwn = challenge?.userId === userId && challenge.sessionId === sessionId;
  if (challenge?.kind !== 'register-passkey' || !isOwn) throw notRegistered();
  if (isAttested(response)) throw notRegistered();
  const { id, origins } = relyingParty();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: text,
    expectedOrigin: origins,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }));
  // The library does not compare them, and only `response.id` is limited in length.
  if (registrationInfo?.credential.id !== response.id) throw notRegistered();
  const { credential, credentialBackedUp } = registrationInfo;
  return {
    credential: {
      id: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      backedUp: credentialBackedUp,
    },
    challengeWrite: useChallenge(text),
  };
}

/**
 * Returns whether a response has a statement about its device with certificates. The service asks for none, and the library would
 * send requests to the addresses in them, before it knows whether it trusts them.
 */
export function isAttested({ response }: Pick<RegistrationResponse, 'response'>): boolean {
  try {
    // By the library's own decoder: another one reads malformed base64 differently.
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    const format = attestation.get('fmt');
    return format !== 'none' && (format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined);
  } catch {
    return true;
  }
}

export const notRegistered = () =>
  invalid('The passkey could not be added. Please try again.', 'invalid-passkey');

/** A passkey that answered a challenge, and the writes that use both up. */
export interface ProvedPasskey {
  userId: string;
  writes: Write[];
}

/**
 * Verifies the response of a passkey.
 * @param accepts whether the challenge is for this purpose
 * @param owner the user whose passkey it must be; else the one whom the response names
 * @throws DomainError 401 `wrong-credentials`
 */
export async function verifyPasskey(
  response: AuthenticationResponse,
  accepts: (challenge: Challenge) => boolean,
  owner?: string,
): Promise<ProvedPasskey> {
  const text = challengeOf(response);
  const challenge = await findChallenge(text);
  const userHandle = response.response.userHandle;
  const userId = owner ?? (userHandle ? Buffer.from(userHandle, 'base64url').toString() : '');
  const passkey = challenge && accepts(challenge) ? await findPasskey(userId, response.id) : undefined;
  if (!passkey) throw wrongPasskey();
  const { id, origins } = relyingParty();
  const result = await verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: text,
    expectedOrigin: origins,
    expectedRPID: id,
    // The library would refuse a counter that goes back without telling it from other errors.
    credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!result?.verified) throw wrongPasskey();
  const { newCounter } = result.authenticationInfo;
  if ((passkey.counter > 0 || newCounter > 0) && newCounter <= passkey.counter) {
    await refuseCounter(passkey, text);
  }
  return { userId, writes: [useChallenge(text), recordPasskeyUse(passkey, newCounter)] };
}

/** A counter that goes back means that somebody may have a copy of the passkey. */
async function refuseCounter({ userId, id }: Passkey, challenge: string): Promise<never> {
  log.warn('The counter of a passkey went back', { userId });
  const by = { type: 'system' } as const;
  await transact([
    useChallenge(challenge),
    insertAuditEntry({ action: 'passkey-refused', by, details: { userId, passkeyId: id } }),
  ]);
  throw wrongPasskey();
}

export const wrongPasskey = () =>
  unauthenticated('The passkey was not accepted. Please try again.', 'wrong-credentials');

/** Reads the challenge that a response answers. */
function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    return String(challenge);
  } catch {
    throw new DomainError('invalid', 'invalid-input', 'response is not valid');
  }
}
