import { createHash } from 'node:crypto';
import { conflict, DomainError, invalid } from '../errors.ts';
import { type Claim, claimKey, releaseKey, storeAnswer, takeOverKey } from './store.ts';

/** Seconds a call may take before another with its key may go on with it. */
const leaseSeconds = 35;

interface Call {
  userId: string;
  /** The Idempotency-Key header; without one the call is simply made. */
  key: string | undefined;
  /** What was asked for: another request under the same key is refused. */
  request: object;
  /** Names what the call makes. A call that takes up a broken-off one gets that one's seed. */
  seed: string;
}

/**
 * Makes a call once per user and key within 24 hours; repeated, it answers what it answered first. A call that
 * is refused leaves its key free again.
 * @throws DomainError 400 for a malformed key, 409 for a key used with another request, 409 with Retry-After
 * while the first call still runs
 */
export async function idempotent<Answer extends object>(
  { userId, key, request, seed }: Call,
  run: (seed: string) => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return run(seed);
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw invalid('Idempotency-Key must have 1 to 255 printable characters');
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('base64url');
  const now = Math.floor(Date.now() / 1000);
  const mine: Claim = { userId, key, requestHash, seed, leaseUntil: now + leaseSeconds };
  const earlier = await claimKey(mine, now);
  if (!earlier) return runAndStore(mine, run);
  if (earlier.requestHash !== requestHash) {
    throw conflict('idempotency-key-reused', 'This Idempotency-Key was used with another request');
  }
  if (earlier.answer) return JSON.parse(earlier.answer);
  const wait = earlier.leaseUntil - now;
  if (wait > 0 || !(await takeOverKey(mine, earlier))) {
    throw conflict(
      'in-progress',
      'The first call with this Idempotency-Key is still running',
      Math.max(1, wait),
    );
  }
  return runAndStore({ ...mine, seed: earlier.seed }, run);
}

async function runAndStore<Answer extends object>(claim: Claim, run: (seed: string) => Promise<Answer>) {
  try {
    const answer = await run(claim.seed);
    await storeAnswer(claim, JSON.stringify(answer));
    return answer;
  } catch (error) {
    // Refused for a reason we know: nothing was made. Otherwise something may have been, under this seed: the
    // key stays taken until its lease ends, and the next call goes on with the seed.
    if (error instanceof DomainError) await releaseKey(claim);
    throw error;
  }
}
