import { getItem, getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import { remove, update, write } from '../../dynamo/write.ts';
import {
  type Breaker,
  breakerOpenMilliseconds,
  failureThreshold,
  isBreakerOpen,
  toBreaker,
} from './breaker.ts';

/*
 * The table stores the state, since workers run in many execution environments. With the state in memory, each
 * environment would wait for several timeouts before its own breaker opens.
 */

export async function findBreaker(provider: string): Promise<Breaker | undefined> {
  const item = await getItem(keys.breaker(provider));
  return item && toBreaker(item);
}

/** Returns the providers whose breaker is open. */
export async function findOpenBreakers(providers: readonly string[]): Promise<Set<string>> {
  const items = await getItems(providers.map(keys.breaker));
  const openBreakers = items.flatMap((item) => (item ? [toBreaker(item)] : [])).filter(isBreakerOpen);
  return new Set(openBreakers.map(({ provider }) => provider));
}

class ClaimedByOther extends Error {}

/** Returns whether this caller may call the provider. While the breaker is open, only one caller every 30 s may. */
export async function claimCall({ provider, openUntil }: Breaker, now: number): Promise<boolean> {
  if (openUntil === undefined) return true;
  if (openUntil > now) return false;
  const condition = {
    when: '#openUntil = :expected',
    values: { expected: openUntil },
    orThrow: () => new ClaimedByOther(),
  };
  const set = { openUntil: now + breakerOpenMilliseconds };
  return isClaimSuccessful(write(update(keys.breaker(provider), { set }, condition)));
}

/** Counts a failure, and opens the breaker at the threshold. */
export async function countFailure(provider: string, now: number): Promise<void> {
  const item = await write(update(keys.breaker(provider), { set: { provider }, add: { failures: 1 } }));
  const breaker = toBreaker(item);
  if (breaker.failures < failureThreshold || isBreakerOpen(breaker)) return;
  await write(update(keys.breaker(provider), { set: { openUntil: now + breakerOpenMilliseconds } }));
}

/** Closes the breaker after an answer of the provider. */
export async function closeBreaker(provider: string): Promise<void> {
  await write(remove(keys.breaker(provider)));
}

async function isClaimSuccessful(claim: Promise<unknown>): Promise<boolean> {
  try {
    await claim;
    return true;
  } catch (error) {
    if (error instanceof ClaimedByOther) return false;
    throw error;
  }
}
