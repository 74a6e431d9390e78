import { createHash } from 'node:crypto';
import { conflict, DomainError, invalid, OperationUndone, TableUnavailable } from '../core/errors.ts';
import { recordWrites } from '../dynamo/availability.ts';
import { keys } from '../dynamo/keys.ts';
import type { Item } from '../dynamo/read.ts';
import { put, remove, update, write } from '../dynamo/write.ts';
import { log } from '../runtime/telemetry.ts';

/** Seconds after which a call with the same key may take over an unfinished call. */
const leaseSeconds = 35;

interface Call {
  userId: string;
  /** The Idempotency-Key header. Without it, the call runs without idempotency. */
  key: string | undefined;
  /** The validated request. A different request with the same key is refused. */
  request: object;
  /**
   * The seed from which the call derives its new ids. A call that takes over an unfinished call uses the seed of that
   * call.
   */
  seed: string;
}

/**
 * The operation of a call.
 * @param isContinued whether an interrupted call used this seed; the operation then has to find and return what that
 * call created
 */
type Run<Answer> = (seed: string, isContinued: boolean) => Promise<Answer>;

/**
 * Runs a call once per user and key within 24 hours, and returns the first answer to repeated calls. A call that throws
 * a DomainError releases its key, and so does one for which the table was not available before it wrote anything. A call that continues an interrupted one releases the key only with OperationUndone.
 * @throws DomainError 400 for a malformed key, 409 for a key used with another request, 409 with Retry-After while the
 * first call still runs
 */
export async function runIdempotently<Answer extends object>(
  { userId, key, request, seed }: Call,
  run: Run<Answer>,
): Promise<Answer> {
  if (key === undefined) return run(seed, false);
  requireValidKey(key);
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claim: Claim = { userId, key, requestHash, seed, leaseUntil: now + leaseSeconds };
  const earlierClaim = await claimKey(claim, now);
  if (!earlierClaim) return runAndStore(claim, run, false);
  if (earlierClaim.requestHash !== requestHash) {
    throw conflict('idempotency-key-reused', 'This Idempotency-Key was used with another request');
  }
  if (earlierClaim.answer) return JSON.parse(earlierClaim.answer);
  const waitSeconds = earlierClaim.leaseUntil - now;
  if (waitSeconds > 0 || !(await takeOverKey(claim, earlierClaim))) {
    throw conflict(
      'in-progress',
      'The first call with this Idempotency-Key is still running',
      Math.max(1, waitSeconds),
    );
  }
  return runAndStore({ ...claim, seed: earlierClaim.seed }, run, true);
}

/** Returns the Idempotency-Key of a request. @throws DomainError 400 for a malformed one */
export function readIdempotencyKey(header: (name: string) => string | undefined): string | undefined {
  const key = header('idempotency-key');
  if (key !== undefined) requireValidKey(key);
  return key;
}

/**
 * Returns the key under which a guest's call is stored. Whoever repeats the call gets the order's access token, so the
 * key can't be guessed, and the table has its hash only.
 * @throws DomainError 400 for a key of less than 22 characters, or a malformed one
 */
export function hashGuestKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  requireValidKey(key);
  if (key.length < 22) {
    throw invalid('Idempotency-Key must have at least 22 characters', 'idempotency-key-too-short');
  }
  return createHash('sha256').update(key).digest('base64url');
}

function requireValidKey(key: string): void {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return;
  throw invalid('Idempotency-Key must have 1 to 255 printable characters');
}

async function runAndStore<Answer extends object>(claim: Claim, run: Run<Answer>, isContinued: boolean) {
  const writes = { mayHaveWritten: false };
  try {
    const answer = await recordWrites(writes, () => run(claim.seed, isContinued));
    await storeAnswer(claim, JSON.stringify(answer));
    return answer;
  } catch (error) {
    // After a DomainError in a first call, nothing is left that another call could duplicate; nor when the table was not
    // available for its first write. After any other error, or after an interrupted call, something may have been
    // created with this seed, unless the operation has undone it. So the key stays claimed: once the lease ends, the next
    // call continues with the seed.
    const isHarmless =
      error instanceof DomainError || (error instanceof TableUnavailable && !writes.mayHaveWritten);
    const isUndone = error instanceof OperationUndone || (isHarmless && !isContinued);
    // A table that throttles the release as well does not hide the error.
    if (isUndone) await releaseKey(claim).catch(logUnreleased);
    throw error;
  }
}

const logUnreleased = (error: unknown) =>
  log.warn('Idempotency key not released until its lease ends', { reason: String(error) });

const retentionSeconds = 24 * 60 * 60;

/** A call's claim on its key; `leaseUntil` is in epoch seconds. */
interface Claim {
  userId: string;
  key: string;
  requestHash: string;
  seed: string;
  leaseUntil: number;
}

/** The claim of an earlier call, and its answer once there is one. */
type EarlierClaim = Pick<Claim, 'requestHash' | 'seed' | 'leaseUntil'> & { answer?: string };

class KeyClaimed extends Error {
  readonly earlier: Item | undefined;
  constructor(earlier: Item | undefined) {
    super('Key claimed');
    this.earlier = earlier;
  }
}

const toKey = ({ userId, key }: Claim) => keys.idempotency(userId, key);
const newKeyClaimed = (current: Item | undefined) => new KeyClaimed(current);

/** Claims a key. @returns the earlier claim, if there is one */
async function claimKey(claim: Claim, now: number): Promise<EarlierClaim | undefined> {
  const { requestHash, seed, leaseUntil } = claim;
  const condition = {
    when: 'attribute_not_exists(#pk) OR #ttl <= :now',
    values: { now },
    orThrow: newKeyClaimed,
  };
  const item = { ...toKey(claim), requestHash, seed, leaseUntil, ttl: now + retentionSeconds };
  return catchEarlierClaim(() => write(put(item, condition)));
}

/** Takes over a claim whose lease has ended. @returns whether it succeeded */
async function takeOverKey(claim: Claim, earlierClaim: EarlierClaim): Promise<boolean> {
  const condition = {
    when: '#leaseUntil = :expected AND attribute_not_exists(#answer)',
    values: { expected: earlierClaim.leaseUntil },
    orThrow: newKeyClaimed,
  };
  return !(await catchEarlierClaim(() =>
    write(update(toKey(claim), { set: { leaseUntil: claim.leaseUntil } }, condition)),
  ));
}

/** Stores the answer, unless another call has taken over the key. */
async function storeAnswer(claim: Claim, answer: string): Promise<void> {
  await catchEarlierClaim(() => write(update(toKey(claim), { set: { answer } }, whenClaimed(claim))));
}

/** Releases the key, unless another call has taken it over. */
async function releaseKey(claim: Claim): Promise<void> {
  await catchEarlierClaim(() => write(remove(toKey(claim), whenClaimed(claim))));
}

const whenClaimed = ({ leaseUntil }: Claim) => ({
  when: '#leaseUntil = :leaseUntil',
  values: { leaseUntil },
  orThrow: newKeyClaimed,
});

/** Attempts a write. @returns the stored claim, if there is one, when the write's condition is not met */
async function catchEarlierClaim(attempt: () => Promise<unknown>): Promise<EarlierClaim | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (error instanceof KeyClaimed) return error.earlier as EarlierClaim | undefined;
    throw error;
  }
}
