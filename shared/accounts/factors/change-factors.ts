import { randomBytes } from 'node:crypto';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { type Write, write } from '../../dynamo/write.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { type AccessClaims, invalidToken } from '../../runtime/tokens.ts';
import { getLiveSession } from '../auth/step-up.ts';
import { countAttempt } from '../rate-limit.ts';
import { getUser, requireSessionVersion } from '../users/store.ts';
import { writeAndAnnounce } from './announce.ts';
import { type Passkey, proofLimit } from './factor.ts';
import {
  appFactorId,
  findTotp,
  insertRecoveryCode,
  putTotp,
  readFactors,
  recordCodeUse,
  refusing,
  removePasskey,
  removeRecoveryCodes,
  removeTotp,
  renamePasskey,
} from './store.ts';
import { findStep, toBase32, toOtpauthUri } from './totp.ts';

/** @throws DomainError 404 `passkey-not-found` */
export async function changePasskey(userId: string, id: string, name: string): Promise<Passkey> {
  await refusing(notFound('Passkey'), () => write(renamePasskey(userId, id, name)));
  const { passkeys } = await readFactors(userId);
  const passkey = passkeys.find((each) => each.id === id);
  if (!passkey) throw notFound('Passkey');
  return passkey;
}

/**
 * Deletes a passkey and the recovery codes that came with it: the person who added it may have them. With the last second factor
 * all codes end.
 * @throws DomainError 404 `passkey-not-found`
 */
export async function deletePasskey(userId: string, id: string): Promise<void> {
  const { passkeys, totp } = await readFactors(userId);
  const isLast = !totp && passkeys.every((passkey) => passkey.id === id);
  const codeWrites = await removeRecoveryCodes(userId, isLast ? undefined : id);
  await refusing(notFound('Passkey'), () =>
    writeAndAnnounce(userId, 'passkey-removed', [...removePasskey(userId, id), ...codeWrites]),
  );
}

/**
 * Begins an authenticator app. It counts once a code of it has activated it.
 * @throws DomainError 409 `totp-active` while another one is active
 */
export async function beginTotp(userId: string): Promise<{ secret: string; uri: string }> {
  const { email } = await getUser(userId);
  // 160 bits, as RFC 4226 recommends.
  const secret = new Uint8Array(randomBytes(20));
  await refusing(conflict('totp-active', 'An authenticator app is set up already. Remove it first.'), () =>
    write(putTotp(userId, { secret, isActive: false, lastStep: 0 })),
  );
  const text = toBase32(secret);
  return { secret: text, uri: toOtpauthUri(text, email, requiredSetting('SHOP_NAME')) };
}

/**
 * Activates an authenticator app with one of its codes.
 * @returns new recovery codes. Earlier ones end
 * @throws DomainError 400 `invalid-code` for a wrong code; 401 for a session that has ended; 429 after too many attempts
 */
export async function activateTotp(caller: AccessClaims, code: string): Promise<string[]> {
  const { userId } = caller;
  const { sessionVersion } = await getLiveSession(caller);
  await countAttempt(keys.attempts('FACTOR', userId), proofLimit);
  const totp = await findTotp(userId);
  const step = totp && !totp.isActive ? findStep(totp.secret, code, Date.now()) : undefined;
  const wrongCode = invalid('The code is wrong. Check the time of your phone.', 'invalid-totp-code');
  if (!totp || step === undefined) throw wrongCode;
  const codes = newRecoveryCodes();
  const writes: Write[] = [
    requireSessionVersion(userId, sessionVersion, invalidToken()),
    recordCodeUse(userId, totp, step),
    ...(await removeRecoveryCodes(userId)),
    ...codes.map((each) => insertRecoveryCode(userId, each, appFactorId)),
  ];
  await refusing(wrongCode, () => writeAndAnnounce(userId, 'totp-added', writes));
  return codes.map(formatRecoveryCode);
}

/** Removes the authenticator app, with the recovery codes that came with it; all codes, when it was the last second factor. */
export async function endTotp(userId: string): Promise<void> {
  const { passkeys, totp } = await readFactors(userId);
  if (!totp) return;
  const codeWrites = await removeRecoveryCodes(userId, passkeys.length === 0 ? undefined : appFactorId);
  await writeAndAnnounce(userId, 'totp-removed', [...removeTotp(userId), ...codeWrites]);
}

export const newRecoveryCodes = () => Array.from({ length: 10 }, () => toBase32(randomBytes(10)));
export const formatRecoveryCode = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-');
