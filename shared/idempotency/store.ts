import type { Item } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { put, remove, update, write } from '../dynamo/write.ts';

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
