import { createHash } from 'node:crypto';
import { countAttempt, refuseAfterTooManyAttempts } from '../../accounts/rate-limit.ts';
import { DomainError } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Code } from './code.ts';
import { findCode } from './store.ts';

/** Limits the unknown codes that one caller may try for one event. A code that exists is not counted. */
const unknownCodeLimit = {
  maximum: 10,
  windowSeconds: 15 * 60,
  message: 'Too many unknown codes, please try again later',
};

/**
 * Returns the code that a caller enters, within the limit of unknown codes.
 * @param text the code's text, in upper case
 * @param rateLimitSubject the caller's user id, or the IP address of an anonymous caller
 * @throws DomainError 404 for an unknown code; 429 for any code after too many unknown ones
 */
export async function getCodeWithinRateLimit(
  eventId: string,
  text: string,
  rateLimitSubject: string,
): Promise<Code> {
  const subject = createHash('sha256').update(`${eventId} ${rateLimitSubject}`).digest('base64url');
  const key = keys.attempts('CODE', subject);
  const [code] = await Promise.all([
    findCode(eventId, text),
    refuseAfterTooManyAttempts(key, unknownCodeLimit),
  ]);
  if (code) return code;
  await countAttempt(key, unknownCodeLimit);
  throw unknownCode();
}

export const unknownCode = () => new DomainError('not-found', 'code-unknown', 'This code does not exist');
