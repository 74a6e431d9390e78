import { unauthenticated } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import { countAttempt } from '../rate-limit.ts';
import { type Proof, proofLimit } from './factor.ts';
import { type Challenge, findTotp, recordCodeUse, useRecoveryCode } from './store.ts';
import { findStep } from './totp.ts';
import { verifyPasskey } from './webauthn.ts';

/**
 * Verifies a second factor of a user.
 * @param accepts whether the challenge of a passkey is for this purpose
 * @returns the writes that use the proof up: it works once, also when it is sent twice at the same moment
 * @throws DomainError 401 `wrong-credentials`; 429 after too many attempts
 */
export async function verifyProof(
  userId: string,
  { code, recoveryCode, response }: Proof,
  accepts: (challenge: Challenge) => boolean,
): Promise<Write[]> {
  if (response) return (await verifyPasskey(response, accepts, userId)).writes;
  await countAttempt(keys.attempts('FACTOR', userId), proofLimit);
  if (recoveryCode) return [useRecoveryCode(userId, normalizeRecoveryCode(recoveryCode))];
  const totp = await findTotp(userId);
  const step = totp?.isActive && code ? findStep(totp.secret, code, Date.now()) : undefined;
  if (!totp || step === undefined) throw wrongCode();
  return [recordCodeUse(userId, totp, step)];
}

export const wrongCode = () => unauthenticated('The code is wrong or was used already', 'wrong-credentials');

export const normalizeRecoveryCode = (text: string): string => text.toUpperCase().replace(/[^A-Z2-7]/g, '');
