import { getItem, getItems } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { remove, update, write } from '../dynamo/write.ts';
import { type Breaker, isOpen, openMilliseconds, threshold, toBreaker } from './breaker.ts';

/*
 * The state is in the table and not in a worker's memory: workers run in many environments, each of which would wait
 * for as many timeouts before it left the provider alone, and so would the next one that Lambda starts.
 */

export async function findBreaker(provider: string): Promise<Breaker | undefined> {
  const item = await getItem(keys.breaker(provider));
  return item && toBreaker(item);
}

/** Returns which of the providers are left alone at present. */
export async function findOpenBreakers(providers: readonly string[]): Promise<Set<string>> {
  const items = await getItems(providers.map(keys.breaker));
  const open = items.flatMap((item) => (item ? [toBreaker(item)] : [])).filter(isOpen);
  return new Set(open.map(({ provider }) => provider));
}

class NotNow extends Error {}

/** Takes the turn to ask a provider whose time is over. @returns whether this caller has it */
export async function takeTurn({ provider, openUntil }: Breaker, now: number): Promise<boolean> {
  if (openUntil === undefined || openUntil > now) return openUntil === undefined;
  const condition = {
    when: '#openUntil = :seen',
    values: { seen: openUntil },
    refused: () => new NotNow(),
  };
  const set = { openUntil: now + openMilliseconds };
  return succeeds(write(update(keys.breaker(provider), { set }, condition)));
}

/** Counts a failure, and opens the breaker at the threshold. */
export async function countFailure(provider: string, now: number): Promise<void> {
  const item = await write(update(keys.breaker(provider), { set: { provider }, add: { failures: 1 } }));
  const breaker = toBreaker(item);
  if (breaker.failures < threshold || isOpen(breaker)) return;
  await write(update(keys.breaker(provider), { set: { openUntil: now + openMilliseconds } }));
}

/** Forgets the failures: the provider has answered. */
export async function closeBreaker(provider: string): Promise<void> {
  await write(remove(keys.breaker(provider)));
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof NotNow) return false;
    throw error;
  }
}
