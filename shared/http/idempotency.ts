import { createHash } from 'node:crypto';
import { conflict, DomainError, invalid } from '../core/errors.ts';
import type { Item } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { put, remove, update, write } from '../dynamo/write.ts';

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

const daySeconds = 24 * 60 * 60;

/** A key in use: by whom, for what, and until when nobody else may go on with it (epoch seconds). */
export interface Claim {
  userId: string;
  key: string;
  requestHash: string;
  seed: string;
  leaseUntil: number;
}

/** A key that is taken, and the answer once there is one. */
export type Taken = Pick<Claim, 'requestHash' | 'seed' | 'leaseUntil'> & { answer?: string };

class KeyTaken extends Error {
  readonly taken: Item | undefined;
  constructor(taken: Item | undefined) {
    super('Key taken');
    this.taken = taken;
  }
}

const keyOf = ({ userId, key }: Claim) => keys.idempotency(userId, key);
const refused = (current: Item | undefined) => new KeyTaken(current);

/** Claims a key. @returns the earlier use when it is taken */
export async function claimKey(claim: Claim, now: number): Promise<Taken | undefined> {
  const { requestHash, seed, leaseUntil } = claim;
  const condition = { when: 'attribute_not_exists(#pk) OR #ttl <= :now', values: { now }, refused };
  const item = { ...keyOf(claim), requestHash, seed, leaseUntil, ttl: now + daySeconds };
  return takenBy(() => write(put(item, condition)));
}

/** Goes on with a use that broke off. @returns whether it is ours now */
export async function takeOverKey(claim: Claim, earlier: Taken): Promise<boolean> {
  const condition = {
    when: '#leaseUntil = :seen AND attribute_not_exists(#answer)',
    values: { seen: earlier.leaseUntil },
    refused,
  };
  return !(await takenBy(() =>
    write(update(keyOf(claim), { set: { leaseUntil: claim.leaseUntil } }, condition)),
  ));
}

export async function storeAnswer(claim: Claim, answer: string): Promise<void> {
  await takenBy(() => write(update(keyOf(claim), { set: { answer } }, whileOurs(claim))));
}

export async function releaseKey(claim: Claim): Promise<void> {
  await takenBy(() => write(remove(keyOf(claim), whileOurs(claim))));
}

const whileOurs = ({ leaseUntil }: Claim) => ({
  when: '#leaseUntil = :leaseUntil',
  values: { leaseUntil },
  refused,
});

async function takenBy(attempt: () => Promise<unknown>): Promise<Taken | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (error instanceof KeyTaken) return error.taken as Taken | undefined;
    throw error;
  }
}
