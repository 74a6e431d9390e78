import * as z from 'zod';
import { DomainError } from '../core/errors.ts';
import { keys } from '../dynamo/keys.ts';
import { getItem, getItems, type Item } from '../dynamo/read.ts';
import { remove, update, write } from '../dynamo/write.ts';
import { log } from '../runtime/telemetry.ts';
import { ProviderRefused } from './provider.ts';

/** The circuit breaker of a provider. The item exists from the first failure until the provider answers again. */
const breaker = z.object({
  provider: z.string(),
  /** Consecutive failures. */
  failures: z.number(),
  /** When a caller may try the provider again (epoch milliseconds); absent while the breaker is closed. */
  openUntil: z.number().optional(),
});
export type Breaker = z.infer<typeof breaker>;

/** Consecutive failures that open the breaker. */
export const failureThreshold = 5;

/**
 * How long a breaker stays open, in milliseconds. Then one caller tries the provider, and the breaker stays open if
 * that call fails.
 */
export const breakerOpenMilliseconds = 30_000;

/*
 * The table stores the state: workers run in many execution environments. With the state in memory, each
 * environment would wait for several timeouts before its own breaker opens.
 */

export async function findBreaker(provider: string): Promise<Breaker | undefined> {
  return toBreaker(await getItem(keys.breaker(provider)));
}

/** Parses a stored breaker. @param item the item at `keys.breaker(provider)`, if there is one */
export function toBreaker(item: Item | undefined): Breaker | undefined {
  return item && breaker.parse(item);
}

/** @throws BreakerOpen when the breaker is open, and no caller may try the provider yet */
export function requireClosed(stored: Breaker | undefined): void {
  if (stored?.openUntil !== undefined && stored.openUntil > Date.now())
    throw new BreakerOpen(stored.provider);
}

/** Returns the providers whose breaker is open. */
export async function findOpenBreakers(providers: readonly string[]): Promise<Set<string>> {
  const items = await getItems(providers.map(keys.breaker));
  const breakers = items.flatMap((item) => (item ? [breaker.parse(item)] : []));
  return new Set(breakers.filter(({ openUntil }) => openUntil).map(({ provider }) => provider));
}

class ClaimedByOther extends Error {}

/** Returns whether this caller may call the provider. While the breaker is open, only one caller every 30 s may. */
async function claimCall({ provider, openUntil }: Breaker, now: number): Promise<boolean> {
  if (openUntil === undefined) return true;
  if (openUntil > now) return false;
  const condition = {
    when: '#openUntil = :expected',
    values: { expected: openUntil },
    orThrow: () => new ClaimedByOther(),
  };
  const set = { openUntil: now + breakerOpenMilliseconds };
  try {
    await write(update(keys.breaker(provider), { set }, condition));
    return true;
  } catch (error) {
    if (error instanceof ClaimedByOther) return false;
    throw error;
  }
}

/** Counts a failure, and opens the breaker at the threshold. */
async function countFailure(provider: string, now: number): Promise<void> {
  const item = await write(update(keys.breaker(provider), { set: { provider }, add: { failures: 1 } }));
  const { failures, openUntil } = breaker.parse(item);
  if (failures < failureThreshold || openUntil !== undefined) return;
  // The provider may have answered another caller meanwhile, who closed the breaker.
  const whileCounted = { when: 'attribute_exists(#failures)', orThrow: () => new ClosedByOther() };
  const set = { openUntil: now + breakerOpenMilliseconds };
  try {
    await write(update(keys.breaker(provider), { set }, whileCounted));
  } catch (error) {
    if (!(error instanceof ClosedByOther)) throw error;
  }
}

class ClosedByOther extends Error {}

/** Closes the breaker after an answer of the provider. */
async function closeBreaker(provider: string): Promise<void> {
  await write(remove(keys.breaker(provider)));
}

/** The provider's circuit breaker is open, so the provider was not called. */
export class BreakerOpen extends DomainError {
  constructor(provider: string) {
    super(
      'unavailable',
      'unavailable',
      `${provider} is not available at present`,
      breakerOpenMilliseconds / 1000,
    );
  }
}

/**
 * Calls a provider unless its circuit breaker is open. While the breaker is open, one caller every 30 s tries the
 * provider.
 * @throws BreakerOpen when it does not call the provider; otherwise the error of `call`
 */
export async function callThroughBreaker<Result>(
  provider: string,
  call: () => Promise<Result>,
): Promise<Result> {
  return callWithBreaker(provider, await findBreaker(provider), call);
}

/** Like `callThroughBreaker`, with the breaker as the caller has read it. */
export async function callWithBreaker<Result>(
  provider: string,
  /** Stored from the first failure until the next answer, whether open or not. */
  stored: Breaker | undefined,
  call: () => Promise<Result>,
): Promise<Result> {
  if (stored && !(await claimCall(stored, Date.now()))) throw new BreakerOpen(provider);
  try {
    const result = await call();
    if (stored) await closeBreaker(provider);
    return result;
  } catch (error) {
    if (error instanceof ProviderRefused) {
      if (stored) await closeBreaker(provider);
    } else if (error instanceof DomainError && error.kind === 'provider-failed') {
      await countFailure(provider, Date.now());
      log.warn('Provider failed', { provider });
    }
    throw error;
  }
}
